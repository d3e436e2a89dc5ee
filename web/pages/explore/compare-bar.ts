// In charge of what stands below a list of watches that can be ticked: how many are, those of other pages by name, and
// the way to see them side by side. The script says the same in the same words.

import { tickedText } from '../../scripts/ticked-text.ts'
import { type Html, html } from '../layout/html.ts'
import type { Ticked } from './explore-data.ts'

/** To stand in a form to the comparison, after the list; `path` is that of the list. */
export function compareBar(path: string, { ids, others, kept }: Ticked): Html {
  return html`<div class="compare-bar">
<div class="compare-ticked"><p role="status" data-ticked>${tickedText(ids.length)}</p>
${
  others.length > 0 &&
  html`<ul class="compare-others" aria-label="Ticked on other pages">${others.map(
    ({ id, name, hrefWithout }) =>
      html`<li class="chip"><input type="hidden" name="compare" value="${id}"><span>${name}</span><a href="${hrefWithout}" aria-label="Untick ${name}"><span aria-hidden="true">×</span></a></li>`,
  )}</ul>`
}</div>
${kept !== '' && html`<input type="hidden" name="keep" value="${kept}" data-no-ticks>`}
<button class="button small" data-compare>Compare</button>
<button class="button quiet small" formaction="${path}" data-keep-ticking>Keep ticking</button>
</div>`
}
