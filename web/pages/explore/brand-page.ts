// Renders the page of one brand: its facts and its watches.

import { formatNumber } from '../layout/format.ts'
import { type Child, type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import { listOf } from './explore.ts'
import type { BrandView, ListView } from './explore-data.ts'

export function brandPage(site: Site, baseUrl: string, brand: BrandView, view: ListView): string {
  return page(
    site,
    {
      title: brand.name,
      description: `The ${formatNumber(brand.watches)} watches by ${brand.name}, with specs, prices and the API call.`,
      path: '/explore',
    },
    html`<nav class="crumbs" aria-label="You are here"><a href="/explore${view.ticked.tail}">Explore</a> / <a href="/explore/brands${view.ticked.tail}">Brands</a></nav>
<div class="explore-head">
<h1>${brand.name}</h1>
${facts(brand)}
</div>
${listOf(site, baseUrl, view)}`,
  )
}

function facts({ watches, collections, country, founded, website, aliases }: BrandView): Html {
  const known: [string, Child][] = [
    ['Watches', formatNumber(watches)],
    ['Collections', formatNumber(collections)],
    ['Country', country],
    ['Founded', founded],
    ['Website', website !== null && websiteLink(website)],
    ['Also known as', aliases.length > 0 && aliases.join(', ')],
  ]
  const shown = known.filter(([, value]) => value !== null && value !== false)
  return html`<dl class="brand-facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Links only http(s) URLs: imported data may contain anything, such as a `javascript:` URL. */
function websiteLink(website: string): Child {
  const url = URL.parse(website)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return website
  return html`<a href="${url.href}" rel="external nofollow noopener noreferrer">${url.host}</a>`
}
