import { expect, test } from 'vitest'
import { html, raw } from './html.ts'

test('text cannot open or close a tag', () => {
  expect(html`<p>${'</script><script>alert(1)</script>'}</p>`.text).toBe(
    '<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  )
})

test('text cannot break out of a quoted attribute, whichever quotes it has', () => {
  const value = `" onload="x' onload='y`
  expect(html`<a title="${value}">`.text).toBe('<a title="&quot; onload=&quot;x&#39; onload=&#39;y">')
  expect(html`<a title='${value}'>`.text).toBe("<a title='&quot; onload=&quot;x&#39; onload=&#39;y'>")
})

test('an ampersand is escaped, even when it looks like the start of an entity', () => {
  expect(html`${'A. Lange & Söhne &lt; &amp;'}`.text).toBe('A. Lange &amp; Söhne &amp;lt; &amp;amp;')
})

test('nested Html is not escaped twice', () => {
  expect(html`<ul>${html`<li>${'a & b'}</li>`}</ul>`.text).toBe('<ul><li>a &amp; b</li></ul>')
})

test('an array is joined without commas, and each string in it is escaped', () => {
  expect(html`${[html`<b>1</b>`, '<2>', [3, [null]]]}`.text).toBe('<b>1</b>&lt;2&gt;3')
})

test('null, undefined and false render nothing', () => {
  expect(html`[${null}${undefined}${false}${[]}]`.text).toBe('[]')
})

test('zero and the empty string are rendered as values', () => {
  expect(html`[${0}|${''}]`.text).toBe('[0|]')
})

test('raw text is passed through untouched', () => {
  expect(html`${raw('<br>&nbsp;')}`.text).toBe('<br>&nbsp;')
})

test('an object that merely looks like Html is not trusted', () => {
  const forged = JSON.parse('{"text":"<img>","toString":null}')
  expect(() => html`${forged}`).toThrow(TypeError)
})

test('Html reads as its text where a string is wanted', () => {
  expect(`${html`<i>${'<'}</i>`}`).toBe('<i>&lt;</i>')
})
