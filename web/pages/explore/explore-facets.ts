// Renders the filters of a list: facet values with their counts, each a link, and a form of ranges.

import { formatNumber } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import type { Facet, FacetValue, ListView, Range } from './explore-data.ts'

/** The number of values shown; the rest are in a collapsed section. */
const firstValues = 6

/** The script replaces this whole element when the query changes. */
export function facets(view: ListView): Html {
  return html`<div id="facets" class="facets">
<h2 class="unseen">Filters</h2>
${view.facets.slice(0, firstFacets).map(facetGroup)}
${rangeForm(view)}
${view.facets.slice(firstFacets).map(facetGroup)}
</div>`
}

/** The number of facets above the ranges. */
const firstFacets = 3

function facetGroup({ name, label, values, left }: Facet): Html {
  const chosen = values.filter(({ isChosen }) => isChosen).length
  const first = Math.max(firstValues, chosen)
  // A single remaining value is shown: it takes no more space than the "1 more" line.
  const cut = values.length <= first + 1 ? values.length : first
  return html`<section class="facet">
<h3>${label}</h3>
<ul>${values.slice(0, cut).map((value) => facetLink(name, value))}</ul>
${
  values.length > cut &&
  html`<details data-keep="facet:${name}"><summary>${formatNumber(values.length - cut)} more<span class="unseen"> of ${label}</span></summary>
<ul>${values.slice(cut).map((value) => facetLink(name, value))}</ul>
${left > 0 && html`<p class="note">${formatNumber(left)} rarer values are not listed. Use the search to find them.</p>`}
</details>`
}
</section>
`
}

function facetLink(name: string, { text, count, href, isChosen }: FacetValue): Html {
  const shown = text === '' ? html`<em>empty</em>` : text
  const body = html`<span class="facet-text">${shown}</span> <span class="facet-count">${formatNumber(count)}</span>`
  if (href === undefined) return html`<li><span class="facet-value">${body}</span></li>`
  return html`<li><a class="facet-value" rel="nofollow" href="${href}" data-keep="value:${name}:${text}"${isChosen && html` aria-current="true"`}>${isChosen && html`<span class="unseen">Remove </span>`}${body}</a></li>`
}

function rangeForm({ path, ranges, keptByRanges }: ListView): Html | false {
  if (ranges.length === 0) return false
  return html`<form class="ranges" action="${path}">
${keptByRanges !== '' && html`<input type="hidden" name="keep" value="${keptByRanges}">`}
${ranges.map(rangeFields)}
<p><button class="button quiet small">Apply ranges</button></p>
</form>
`
}

function rangeFields({ label, unit, from, to, hint }: Range, at: number): Html {
  const hintId = hint !== undefined && `hint-${at}`
  const field = (end: Range['from'], word: string, id: string) =>
    html`<label for="${id}"><span class="unseen">${label} ${word}</span><input id="${id}" name="${end.name}" value="${end.value}" placeholder="${word} ${end.example}" autocomplete="off"${hintId && html` aria-describedby="${hintId}"`}></label>`
  return html`<fieldset class="range">
<legend>${label}${unit !== undefined && html` <span class="unit">${unit}</span>`}</legend>
<div class="range-ends">${field(from, 'from', `from-${at}`)}${field(to, 'to', `to-${at}`)}</div>
${hint !== undefined && html`<p class="hint" id="${hintId}">${hint}</p>`}
</fieldset>
`
}
