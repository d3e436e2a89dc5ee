// Renders the list of brands, with search, sorting and paging.

import { apiCall } from '../layout/call.ts'
import { formatNumber } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import type { BrandsView, BrandView } from './explore-data.ts'
import { pager, sortMenu } from './explore-results.ts'

export function brandsPage(site: Site, baseUrl: string, view: BrandsView): string {
  const { brands, total, q, keptBySearch, pages, sorts, call, tail } = view
  return page(
    site,
    {
      title: 'Brands',
      description: 'Every brand in the catalogue and its number of watches.',
      path: '/explore',
    },
    html`<nav class="crumbs" aria-label="You are here"><a href="/explore${tail}">Explore</a></nav>
<div class="explore-head"><h1>Brands</h1></div>
<form class="search" role="search" action="/explore/brands">
${keptBySearch !== '' && html`<input type="hidden" name="keep" value="${keptBySearch}">`}
<label for="q" class="unseen">Search brands</label>
<input id="q" name="q" type="search" value="${q}" placeholder="Search brands" autocomplete="off" spellcheck="false" maxlength="512">
<button class="button">Search</button>
</form>
<div class="results brands-results">
<div class="results-head">
<p class="count">${countText(view)}</p>
${total > 1 && sortMenu(sorts)}
</div>
${brands.length > 0 ? html`<ul class="brands">${brands.map((brand) => brandEntry(brand, tail))}</ul>` : noBrands(view)}
${pages.last > 1 && brands.length > 0 && pager(pages)}
</div>
<section class="call-section stack" aria-labelledby="call-heading">
<h2 id="call-heading">The API call for this view</h2>
${apiCall('call', baseUrl, call)}
</section>`,
  )
}

function brandEntry({ slug, name, country, founded, watches }: BrandView, tail: string): Html {
  const more = [country, founded].filter((value) => value !== null).join(', ')
  return html`<li><a href="/explore/brands/${encodeURIComponent(slug.toWellFormed())}${tail}">${name}</a> <span class="facet-count">${formatNumber(watches)}<span class="unseen"> ${watches === 1 ? 'watch' : 'watches'}</span></span>${more !== '' && html`<span class="brand-more">${more}</span>`}</li>
`
}

function countText({ total, pages: { from, to } }: BrandsView): string {
  const all = `${formatNumber(total)} ${total === 1 ? 'brand' : 'brands'}`
  if (total === 0) return 'No brands'
  return from === 0 || (from === 1 && to === total)
    ? all
    : `${formatNumber(from)}–${formatNumber(to)} of ${all}`
}

function noBrands({ q, total, pages }: BrandsView): Html {
  if (total > 0) {
    return html`<div class="empty stack"><h2>Page ${formatNumber(pages.page)} does not exist</h2>
<p class="actions"><a class="button" href="${pages.near.at(-1)?.href}">Go to the last page</a></p></div>`
  }
  return html`<div class="empty stack">
<h2>${q === '' ? 'No brands yet' : 'No brand has this name'}</h2>
<p>${q === '' ? 'Brands appear here once the operator of this instance has imported watches.' : 'A brand matches if one of its names contains every word. The last word may be incomplete.'}</p>
<p class="actions">${q === '' ? html`<a class="button" href="/docs">Read the docs</a>` : html`<a class="button" href="/explore/brands">All brands</a> <a href="/explore?q=${encodeURIComponent(q.toWellFormed())}">Search watches instead</a>`}</p>
</div>`
}
