// Renders the comparison of up to four watches: one column each, and a mark on every row in which they differ.

import { comparedMax } from '../../scripts/ticked-text.ts'
import { apiCall } from '../layout/call.ts'
import { type Child, type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import type { ComparedRow, ComparedWatch, CompareView } from './explore-data.ts'
import { watchName, watchTitle } from './explore-labels.ts'
import { priceText } from './explore-results.ts'
import { specValues } from './watch-page.ts'

export { comparedMax, wrongCount } from '../../scripts/ticked-text.ts'

export function comparePage(site: Site, baseUrl: string, view: CompareView): string {
  const { watches, missing, call, tail } = view
  return page(
    site,
    {
      title: 'Compare watches',
      description: 'Compare watches side by side and see where they differ.',
      path: '/explore',
    },
    html`<nav class="crumbs" aria-label="You are here"><a href="/explore${tail}">Explore</a></nav>
<div class="explore-head">
<h1>Compare</h1>
<p class="lede">${watches.length < 2 ? html`Add another watch to compare.` : html`<span class="differs-mark"></span> marks rows where the watches differ.`}</p>
${watches.length < comparedMax && html`<p class="actions"><a class="button quiet small" href="/explore${tail}">Add a watch</a></p>`}
</div>
${missing.map((id) => html`<p class="advice">Watch ${id} no longer exists.</p>`)}
${compareTable(view)}
<section class="call-section stack" aria-labelledby="call-heading">
<h2 id="call-heading">The API call for this view</h2>
${apiCall('call', baseUrl, call)}
</section>`,
  )
}

/** `sentence` says why the watches cannot be compared; `tail` keeps them selected in the link back. */
export function cannotComparePage(site: Site, sentence: string, tail: string): string {
  return page(
    site,
    { title: 'Compare watches', description: sentence, path: '/explore' },
    html`<div class="stack refused">
<h1>Compare two to four watches</h1>
<p>${sentence}</p>
<p class="actions"><a class="button" href="/explore${tail}">Choose from the catalogue</a></p>
</div>`,
  )
}

function compareTable({ watches, rows, tail }: CompareView): Html {
  return html`<div class="table compare" tabindex="0" role="region" aria-label="Watches side by side">
<table>
<thead><tr><td></td>${watches.map((watch) => watchHead(watch, tail))}</tr></thead>
<tbody>
${priceRow(
  'Retail price',
  watches.map(({ row }) => row.retailUsd),
)}
${priceRow(
  'Market price',
  watches.map(({ row }) => row.marketUsd),
)}
${rows.map(specRow)}</tbody>
</table>
</div>`
}

function watchHead({ row, hrefWithout }: ComparedWatch, tail: string): Html {
  return html`<th scope="col"><span class="watch-brand"><a href="${row.brandHref}${tail}">${row.brand}</a></span>
<a class="compare-name" href="/explore/watches/${row.id}${tail}">${watchTitle(row)}</a>
<a class="compare-remove" href="${hrefWithout}">Remove<span class="unseen"> ${watchName(row)}</span></a></th>`
}

function priceRow(label: string, prices: readonly (number | null)[]): Html {
  return tableRow(label, new Set(prices).size > 1, prices.map(priceText))
}

function specRow({ label, cells, differs }: ComparedRow): Html {
  return tableRow(
    label,
    differs,
    cells.map((cell) =>
      cell === undefined
        ? html`<span class="lacking"><span aria-hidden="true">–</span><span class="unseen">unknown</span></span>`
        : specValues(cell),
    ),
  )
}

function tableRow(label: string, differs: boolean, cells: readonly Child[]): Html {
  return html`<tr${differs && html` class="differs"`}><th scope="row">${differs && html`<span class="differs-mark"></span>`}${label}${differs && html`<span class="unseen"> (differs)</span>`}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`
}
