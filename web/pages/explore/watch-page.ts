// Renders the page of one watch: its specs, each linked to the watches that share it, its prices, and its price
// history if the reader's plan includes it.

import { apiCall } from '../layout/call.ts'
import { formatNumber, utcTime } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import type { PricesHidden, PricesView, SpecRow, SpecValue, WatchView } from './explore-data.ts'
import { watchName } from './explore-labels.ts'
import { priceText } from './explore-results.ts'
import { priceChart } from './price-chart.ts'

export interface WatchPageData {
  readonly baseUrl: string
  readonly watch: WatchView
  readonly prices: PricesView | PricesHidden
}

export function watchPage(site: Site, { baseUrl, watch, prices }: WatchPageData): string {
  const { row } = watch
  const name = watchName(row)
  return page(
    site,
    { title: name, description: `Specs, prices and the API call for the ${name}.`, path: '/explore' },
    html`<nav class="crumbs" aria-label="You are here"><a href="/explore${watch.tail}">Explore</a> / <a href="${row.brandHref}${watch.tail}">${row.brand}</a></nav>
<div class="watch-page">
<div class="watch-head">
<h1><span class="h1-brand">${row.brand}</span> ${row.collection}</h1>
${row.reference !== '' && html`<p class="lede">Reference ${row.reference}</p>`}
<dl class="watch-prices-now">
<div><dt>Retail price</dt><dd>${priceText(row.retailUsd)}</dd></div>
<div><dt>Market price</dt><dd>${priceText(row.marketUsd)}${marketNote(row.retailUsd, row.marketUsd)}</dd></div>
</dl>
<p class="actions">${compareLink(watch)}${watch.collectionHref !== undefined && html` <a class="button quiet small" href="${watch.collectionHref}">All ${row.collection} watches</a>`}</p>
</div>
<section aria-labelledby="specs-heading" class="stack">
<h2 id="specs-heading">Specs</h2>
${specTable(watch.specs)}
<p class="note">Last updated ${utcTime(watch.updatedAt)}. Watch ID ${row.id}.</p>
</section>
<section aria-labelledby="prices-heading" class="stack">
<h2 id="prices-heading">Price history</h2>
${'lines' in prices ? shownPrices(prices) : hiddenPrices(site, prices)}
</section>
<section aria-labelledby="call-heading" class="stack">
<h2 id="call-heading">The API call for this view</h2>
${apiCall('call', baseUrl, `/watches/${row.id}`)}
${'lines' in prices && html`<h3>The API call for the price history</h3>${apiCall('prices-call', baseUrl, `/watches/${row.id}/prices`)}`}
</section>
</div>`,
  )
}

function compareLink({ compareHref, compareIsFull }: WatchView): Html {
  if (!compareIsFull) return html`<a class="button quiet small" href="${compareHref}">Compare</a>`
  return html`<span>You already selected four watches: <a href="${compareHref}">compare them</a>.</span>`
}

/** The values of a spec, each linked to all watches that have it. */
export function specValues({ values, left }: SpecRow): Html {
  return html`${values.map((value, at) => html`${at > 0 && ', '}${specValue(value)}`)}${left > 0 && ` and ${formatNumber(left)} more`}`
}

function specValue({ text, href, equals }: SpecValue): Html {
  const shown = text === '' ? html`<em>empty</em>` : text
  return html`${href === undefined ? shown : html`<a href="${href}">${shown}</a>`}${
    equals.length > 0 &&
    html` <span class="equals">${equals.map((one) => `=\u00A0${one.replaceAll(' ', '\u00A0')}`).join(' ')}</span>`
  }`
}

function specTable(specs: readonly SpecRow[]): Html {
  if (specs.length === 0) return html`<p>No specs for this watch yet.</p>`
  return html`<table class="specs">
<caption class="unseen">Specs. Each value links to all watches that have it.</caption>
<tbody>
${specs.map(
  (row) => html`<tr><th scope="row">${row.label}</th><td>${specValues(row)}</td></tr>
`,
)}</tbody>
</table>`
}

/** How far the market price is above or below the retail price. */
function marketNote(retail: number | null, market: number | null): Html | false {
  if (retail === null || market === null || retail <= 0) return false
  const percent = Math.round((market / retail - 1) * 100)
  if (!Number.isFinite(percent)) return false
  const words =
    percent === 0
      ? 'at retail'
      : `${formatNumber(Math.abs(percent))}% ${percent > 0 ? 'above' : 'below'} retail`
  return html` <small class="market-note">${words}</small>`
}

function shownPrices(prices: PricesView): Html {
  return html`${priceChart(prices)}
${prices.days !== undefined && html`<p class="note">Your plan shows the last ${formatNumber(prices.days)}\u00A0days. <a href="/dashboard/plan">Compare plans</a>.</p>`}`
}

function hiddenPrices({ visitor, isOpen }: Site, { plans }: PricesHidden): Html {
  const names = plans.map(({ name }) => name).join(' and ')
  const extents = plans.map(
    ({ name, days }, at) =>
      `${name} ${at === 0 ? 'shows ' : ''}${days === undefined ? 'all of it' : `the last ${formatNumber(days)}\u00A0days`}`,
  )
  const action =
    visitor !== undefined
      ? html`<a class="button quiet small" href="/dashboard/plan">See your plan</a>`
      : isOpen
        ? html`<a class="button quiet small" href="/sign-up">Sign up</a> <a href="/sign-in">Sign in</a>`
        : html`<a class="button quiet small" href="/sign-in">Sign in</a>`
  return html`<div class="plan-note stack">
<p>${visitor === undefined ? `Price history is included in ${names}` : `Your plan does not include price history; ${names} do`}: ${extents.join(', ')}.</p>
<p class="actions">${action}</p>
</div>`
}
