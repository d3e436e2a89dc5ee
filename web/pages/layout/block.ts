// In charge of code and tables, which may be wider than the screen: each scrolls inside itself, and can be
// reached and scrolled with the keyboard.

import { type Child, type Html, html } from './html.ts'

export function codeBlock(label: string, code: Child): Html {
  return html`<figure class="code">
  <figcaption>${label}</figcaption>
  ${blockOf(label, code)}
</figure>`
}

/** With a button that copies it, which a script shows. `id` must be the only one of its page. */
export function copyBlock(id: string, label: string, code: Child): Html {
  return html`<figure class="code">
  <figcaption>${label}${copyButton(id, label)}</figcaption>
  ${blockOf(label, code, id)}
</figure>`
}

/** Copies the text of the element with this id. What that is, is said to who cannot see beside what it stands. */
function copyButton(id: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${id}" aria-live="polite" hidden>Copy<span class="unseen"> ${what}</span></button>`
}

function blockOf(label: string, code: Child, id?: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code${id !== undefined && html` id="${id}"`}>${code}</code></pre>`
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
