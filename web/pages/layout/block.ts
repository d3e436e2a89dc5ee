// Renders code blocks and tables. Both may be wider than the screen, so each scrolls inside itself and can be
// focused and scrolled by keyboard.

import { type Child, type Html, html } from './html.ts'

export function codeBlock(label: string, code: Child): Html {
  return html`<figure class="code">
  <figcaption>${label}</figcaption>
  ${blockOf(label, code)}
</figure>`
}

/** A code block with a copy button, which is hidden until a script shows it. `id` must be unique on the page. */
export function copyBlock(id: string, label: string, code: Child): Html {
  return html`<figure class="code">
  <figcaption>${label}${copyButton(id, label)}</figcaption>
  ${blockOf(label, code, id)}
</figure>`
}

/** Copies the text of the element with this id. `what` names the text for screen readers. */
function copyButton(id: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${id}" aria-live="polite" hidden>Copy<span class="unseen"> ${what}</span></button>`
}

function blockOf(label: string, code: Child, id?: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code${id !== undefined && html` id="${id}"`}>${code}</code></pre>`
}

interface Column {
  name: string
  /** Right-aligns the column, so that the digits line up. */
  numeric?: boolean
}

/** The first cell of each row is its header. */
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
