// Renders a list of watches: the rows, the count, the active filters, the sort menu and the pager. For an empty list it
// says why nothing matches and what to change.

import { apiCall } from '../layout/call.ts'
import { formatNumber, formatUsd } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import { compareBar } from './compare-bar.ts'
import type { Chip, Choice, ListView, Pages, ShortList, Ticked, WatchRow } from './explore-data.ts'
import { watchName, watchTitle } from './explore-labels.ts'

/** The script replaces this whole element when the query changes. */
export function results(view: ListView): Html {
  const { rows, pages, total } = view
  return html`<div id="results" class="results" tabindex="-1">
<h2 class="unseen">Watches</h2>
<div class="results-head">
<p class="count" id="count">${countText(view)}</p>
<p class="to-call"><a href="#call-heading">API call</a></p>
${total > 1 && sortMenu(view.sorts)}
</div>
${chipList(view.path + view.ticked.tail, view.chips)}
${view.unknownKeys.map(
  ({ key, suggestion }) => html`<p class="advice">No watch has the spec <code>${key}</code>.${
    suggestion && html` Did you mean <a href="${suggestion.href}"><code>${suggestion.key}</code></a>?`
  }</p>
`,
)}${rows.length > 0 ? compareForm(view) : noRows(view)}
${pages.last > 1 && rows.length > 0 && pager(pages)}
</div>`
}

/** The first few watches, the total and the API call. `idPrefix` must be unique on the page. */
export function shortResults(idPrefix: string, baseUrl: string, list: ShortList): Html {
  const { total, rows, chips, href, call } = list
  return html`<div class="results short-results">
<div class="results-head">
<p class="count">${watches(total)}</p>
<p><a href="${href}">Open in the explorer</a></p>
</div>
${chipNotes(chips)}
${rows.length > 0 ? html`<ol class="watches">${rows.map((row) => watchRow(row))}</ol>` : html`<p class="advice">No watch matches. <a href="/explore">Browse all watches</a>.</p>`}
${apiCall(idPrefix, baseUrl, call)}
</div>`
}

/** `1–24 of 8,412 watches`. */
function countText({ total, pages: { from, to } }: Pick<ListView, 'total' | 'pages'>): string {
  if (total === 0) return 'No watches'
  if (from === 0 || (from === 1 && to === total)) return watches(total)
  const span = from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`
  return `${span} of ${watches(total)}`
}

export function priceText(value: number | null): Html {
  if (value !== null) return html`${formatUsd(value)}`
  return html`<span class="lacking"><span aria-hidden="true">–</span><span class="unseen">unknown</span></span>`
}

function watches(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'watch' : 'watches'}`
}

export function sortMenu(sorts: readonly Choice[]): Html {
  const chosen = sorts.find(({ isChosen }) => isChosen)
  return html`<details class="menu" data-keep="sort">
<summary><span class="menu-name">Sort:</span> ${chosen?.text}</summary>
<ul>${sorts.map(
    ({ text, href, isChosen }) =>
      html`<li><a href="${href}"${isChosen && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul>
</details>`
}

function chipList(path: string, chips: readonly Chip[]): Html | false {
  if (chips.length === 0) return false
  return html`<ul class="chips" aria-label="Filters">${chips.map(
    ({ text, readAs, hrefWithout }) =>
      html`<li class="chip"><span>${text}${
        readAs !== undefined && html` <span class="read-as">→ ${readAs}</span>`
      }</span><a href="${hrefWithout}" aria-label="Remove ${text}"><span aria-hidden="true">×</span></a></li>`,
  )}${chips.length > 1 && html`<li><a class="clear" href="${path}">Clear all</a></li>`}</ul>`
}

/** The filters whose value was normalised, without links to remove them. */
function chipNotes(chips: readonly Chip[]): Html | false {
  const read = chips.filter(({ readAs }) => readAs !== undefined)
  if (read.length === 0) return false
  return html`<ul class="chips">${read.map(
    ({ text, readAs }) =>
      html`<li class="chip"><span>${text} <span class="read-as">→ ${readAs}</span></span></li>`,
  )}</ul>`
}

function compareForm({ rows, ticked, path }: ListView): Html {
  return html`<form class="compare-form" action="/explore/compare">
<ol class="watches">${rows.map((row) => watchRow(row, ticked))}</ol>
${compareBar(path, ticked)}
</form>`
}

function watchRow(row: WatchRow, ticked?: Ticked): Html {
  const { id, brand, brandHref } = row
  const tail = ticked?.tail ?? ''
  return html`<li class="watch">
${ticked !== undefined && html`<label class="tick"><input type="checkbox" name="compare" value="${id}" autocomplete="off"${ticked.ids.includes(id) && html` checked`}><span class="unseen">Compare ${watchName(row)}</span></label>`}
<div class="watch-main">
<p class="watch-brand"><a href="${brandHref}${tail}">${brand}</a></p>
<h3><a href="/explore/watches/${id}${tail}">${watchTitle(row)}</a></h3>
<p class="watch-specs">${row.specs.map(({ label, value }) => html`<span><span class="unseen">${label}: </span>${value}</span> `)}</p>
</div>
<dl class="watch-prices">
<div><dt>Retail</dt><dd>${priceText(row.retailUsd)}</dd></div>
<div><dt>Market</dt><dd>${priceText(row.marketUsd)}</dd></div>
</dl>
</li>
`
}

function noRows({ total, chips, pages, path, ticked }: ListView): Html {
  if (total > 0) {
    return html`<div class="empty stack">
<h2>Page ${formatNumber(pages.page)} does not exist</h2>
<p>${watches(total)} match, on ${formatNumber(pages.last)} ${pages.last === 1 ? 'page' : 'pages'}.</p>
<p class="actions"><a class="button" href="${pages.near.at(-1)?.href}">Go to the last page</a></p>
</div>`
  }
  if (chips.length === 0) {
    return html`<div class="empty stack">
<h2>The catalogue is empty</h2>
<p>Watches appear here once the operator of this instance has imported them.</p>
<p class="actions"><a class="button" href="/docs">Read the docs</a></p>
</div>`
  }
  return html`<div class="empty stack">
<h2>No watch matches ${chips.length === 1 ? 'this filter' : 'all filters'}</h2>
${advice(chips)}
<p class="actions"><a class="button quiet" href="${path}${ticked.tail}">Start over</a></p>
</div>`
}

/** Lists the filter whose removal gives the most matches first. */
function advice(chips: readonly Chip[]): Html {
  const sorted = chips.toSorted((one, other) => (other.totalWithout ?? 0) - (one.totalWithout ?? 0))
  return html`<ul class="ways-out">${sorted.map(
    ({ text, hrefWithout, totalWithout = 0, totalAlone = 0 }) =>
      html`<li><strong>${text}</strong>: ${
        totalAlone === 0 ? 'no watches.' : `${watches(totalAlone)} on its own.`
      } <a href="${hrefWithout}">Remove it</a>${chips.length > 1 && `, and ${totalWithout === 0 ? 'still none match' : `${watches(totalWithout)} ${totalWithout === 1 ? 'matches' : 'match'}`}`}.</li>`,
  )}</ul>`
}

export function pager({ page, previous, next, near }: Pages): Html {
  return html`<nav class="pager" aria-label="Pages">
${previous === undefined ? html`<span class="lacking">Previous</span>` : html`<a rel="prev" href="${previous}">Previous</a>`}
<ol>${near.map(
    ({ page: number, href }, at) =>
      html`<li${at > 0 && number - (near[at - 1]?.page ?? 0) > 1 && html` class="after-gap"`}><a href="${href}"${number === page && html` aria-current="page"`} aria-label="Page ${number}">${formatNumber(number)}</a></li>`,
  )}</ol>
${next === undefined ? html`<span class="lacking">Next</span>` : html`<a rel="next" href="${next}">Next</a>`}
</nav>`
}
