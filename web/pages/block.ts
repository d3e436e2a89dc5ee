// In charge of code and tables, which may be wider than the screen: each scrolls inside itself, and can be
// reached and scrolled with the keyboard.

import { type Child, type Html, html } from './html.ts'

export function codeBlock(label: string, code: Child): Html {
  return html`<figure class="code">
  <figcaption>${label}</figcaption>
  <pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>
</figure>`
}

/** A sentence of the tables in the code: what stands between backticks is code. */
export function withCode(sentence: string): Html {
  const parts = sentence.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

interface Column {
  name: string
  /** Numbers stand under each other when they are set to the right. */
  numeric?: boolean
}

/** The first cell of each row is its heading. */
export function table(label: string, columns: readonly Column[], rows: readonly (readonly Child[])[]): Html {
  const numeric = (index: number) => columns[index]?.numeric && html` class="numeric"`
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}">
<table>
<thead><tr>${columns.map(({ name }, index) => html`<th scope="col"${numeric(index)}>${name}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first, ...rest]) => html`<tr><th scope="row"${numeric(0)}>${first}</th>${rest.map(
    (cell, index) => html`<td${numeric(index + 1)}>${cell}</td>`,
  )}</tr>
`,
)}</tbody>
</table>
</div>`
}
