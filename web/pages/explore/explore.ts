// Renders the explorer: the catalogue with search, filters, sorting and paging, made of links and forms alone. A script
// only saves the page reload.

import { apiCall } from '../layout/call.ts'
import { formatNumber } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import { searchField } from '../layout/search-field.ts'
import type { Site } from '../layout/site.ts'
import type { ListView } from './explore-data.ts'
import { facets } from './explore-facets.ts'
import { results } from './explore-results.ts'

export interface ExploreData {
  readonly baseUrl: string
  /** The size of the whole catalogue. */
  readonly watches: number
  readonly brands: number
}

export function explorePage(site: Site, { baseUrl, watches, brands }: ExploreData, view: ListView): string {
  return page(
    site,
    {
      title: titleOf(view),
      description: `Search and filter ${formatNumber(watches)} watches from ${formatNumber(brands)} brands by any spec, with units, prices and the API call for every view.`,
      path: '/explore',
    },
    html`<div class="explore-head">
<h1>Explore</h1>
<p class="lede">${formatNumber(watches)} watches from <a href="/explore/brands${view.ticked.tail}">${formatNumber(brands)} brands</a>. Every view is one API call.</p>
</div>
${listOf(site, baseUrl, view)}`,
  )
}

/** The list with its search form, filters and API call. Also used on the page of a brand. */
export function listOf({ assets }: Site, baseUrl: string, view: ListView): Html {
  return html`<div class="explore" data-explore>
${searchForm(view)}
<input type="checkbox" id="show-filters" class="unseen filters-switch"><label for="show-filters" class="filters-label">Filters${view.chips.length > 0 && html` <span class="filters-count">${view.chips.length}</span>`}</label>
${facets(view)}
<div class="explore-main">
<p class="unseen" role="status" id="said"></p>
${results(view)}
<section class="call-section stack" aria-labelledby="call-heading">
<h2 id="call-heading">The API call for this view</h2>
${apiCall('call', baseUrl, view.call)}
${view.facetNames.length > 0 && html`<p class="note">Add <code>&amp;facets=<wbr>${view.facetNames.slice(0, 3).join(',')}</code> for counts, and <code>&amp;explain=1</code> to see how each filter was interpreted. <a href="/docs/filters">How to filter</a></p>`}
</section>
</div>
</div>
<script type="module" src="${assets.explore}"></script>`
}

function searchForm({ path, q, keptBySearch }: ListView): Html {
  return html`<form class="search" role="search" action="${path}">
${keptBySearch !== '' && html`<input type="hidden" name="keep" value="${keptBySearch}">`}
${searchField(q)}
<button class="button">Search</button>
</form>`
}

/** The title names the active filters, so that users can tell their tabs apart. */
function titleOf({ chips }: ListView): string {
  const said = chips.map(({ text }) => text).join(', ')
  return said === '' ? 'Explore' : `${[...said].slice(0, 80).join('')} · Explore`
}
