import { expect, test } from 'vitest'
import { renderDocPage } from './markdown.ts'

function render(text: string): string {
  const { body } = renderDocPage(text, { linkTo: (href) => (href.startsWith('/') ? href : undefined) })
  return body
}

test('HTML of any kind is shown as text', () => {
  for (const hostile of [
    '<script>alert(1)</script>',
    'words <img src=x onerror=alert(1)> words',
    '<!-- a comment -->',
    '- item <b onclick="x()">b</b>',
    '| a | b |\n| --- | --- |\n| <i>x</i> | `<u>` |',
    '## <svg onload=x>',
    '![alt](/x.png "<b>")',
    '> <em>quoted</em>',
    '```html <b>\n</code></pre><script>\n```',
    '[<s>x</s>](/there)',
    '&lt;b&gt;<b>',
  ]) {
    expect(render(hostile)).not.toMatch(/<(script|img|b|i|u|s|svg|em|!--)[\s>]/)
  }
})

test('links to other targets than allowed become plain text', () => {
  expect(render('[here](/docs) and [there](javascript:alert(1)) and <https://elsewhere.example>')).toBe(
    '<p><a href="/docs">here</a> and there and https://elsewhere.example</p>\n',
  )
  expect(render('[quote](/a"b)')).not.toContain('"b"')
})

test('headings get the same ids as on GitHub; a repeated heading gets a number', () => {
  const docPage = renderDocPage('# T\n## A `brand`’s watches\n## Twice\n## Twice\n', {
    linkTo: () => undefined,
  })
  expect(docPage.title).toBe('T')
  expect(docPage.headings.map(({ id, text }) => [id, text])).toEqual([
    ['a-brands-watches', 'A brand’s watches'],
    ['twice', 'Twice'],
    ['twice-1', 'Twice'],
  ])
})

test('columns that only add to another cell are shown below it', () => {
  const page = render(
    '## P\n| parameter | type | meaning | example |\n| --- | --- | --- | --- |\n| `q` | text | Words. | `q=a` |',
  )
  expect(page).toContain('<th scope="row"><code>q</code><span class="kind">text</span></th>')
  expect(page).toContain('<td>Words.<span class="sample"><code>q=a</code></span></td>')
  expect(page).toContain('role="region" aria-label="P"')
})

test('examples are collapsed, except the first one under a heading', () => {
  const page = render('## A\n\n#### One\n\nx\n\n#### Two\n\ny\n\n## B\n\n#### Three\n\nz')
  expect(page.match(/<details class="example" open>/g)).toHaveLength(2)
  expect(page.match(/<details class="example">/g)).toHaveLength(1)
})

test('every code block has a copy button and its own id', () => {
  const page = render('```sh Request\na\n```\n\n- in a list\n\n  ```json\n  {"a": 1}\n  ```\n')
  expect(page).toContain('data-copy="code-1"')
  expect(page).toContain('<code id="code-2">')
  expect(page).toContain('<figcaption>JSON')
})

test('a line in a code block that looks like a heading is none', () => {
  const text = '# T\n\n```sh\n# a comment\n## another\n```\n\n## H\n'
  const { body, headings } = renderDocPage(text, { linkTo: () => undefined })
  expect(body).toContain('# a comment\n## another')
  expect(headings).toHaveLength(1)
})
