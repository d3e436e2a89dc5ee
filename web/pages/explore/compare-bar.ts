// Renders the bar below a list of watches: how many are selected, the names of those on other pages, and the button
// that compares them. The script uses the same texts (web/scripts/ticked-text.ts).

import { tickedText } from '../../scripts/ticked-text.ts'
import { type Html, html } from '../layout/html.ts'
import type { Ticked } from './explore-data.ts'

/** Must be inside the form that leads to the comparison, after the list. `path` is the path of the list. */
export function compareBar(path: string, { ids, others, kept }: Ticked): Html {
  return html`<div class="compare-bar">
<div class="compare-ticked"><p role="status" data-ticked>${tickedText(ids.length)}</p>
${
  others.length > 0 &&
  html`<ul class="compare-others" aria-label="Selected on other pages">${others.map(
    ({ id, name, hrefWithout }) =>
      html`<li class="chip"><input type="hidden" name="compare" value="${id}"><span>${name}</span><a href="${hrefWithout}" aria-label="Deselect ${name}"><span aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}</div>
${kept !== '' && html`<input type="hidden" name="keep" value="${kept}" data-no-ticks>`}
<button class="button small" data-compare>Compare</button>
<button class="button quiet small" formaction="${path}" data-keep-ticking>Save selection</button>
</div>`
}
