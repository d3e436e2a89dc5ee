// Renders the explorer's error pages: an invalid query, a watch or brand that does not exist, too many pages or views.
// Each says what to do instead.

import { apiCall } from '../layout/call.ts'
import { stoppedDial } from '../layout/dial.ts'
import { formatNumber, formatWait } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'

/** The API's error messages for one field, and the URL without that field. */
export interface WrongField {
  readonly field: string
  readonly sentences: readonly string[]
  readonly hrefWithout: string | undefined
}

export interface RefusedQuery {
  readonly baseUrl: string
  /** The API request of this query, relative to /api/v1. */
  readonly call: string
  /** Whether the API accepts the request: only the explorer does not show as much. */
  readonly isGoodCall: boolean
  readonly wrong: readonly WrongField[]
  /** The URL of the "Start over" link. */
  readonly path: string
}

export function invalidQueryPage(
  site: Site,
  { baseUrl, call, isGoodCall, wrong, path }: RefusedQuery,
): string {
  return page(
    site,
    { title: 'Invalid query', description: 'This query is not valid.', path: '/explore' },
    html`<div class="stack refused">
<h1>This query is not valid</h1>
<ul class="ways-out" id="results">${wrong.map(
      ({ field, sentences, hrefWithout }) =>
        html`<li><code>${field}</code>: ${sentences.join(' ')}${
          hrefWithout !== undefined && html` <a href="${hrefWithout}">Remove it</a>`
        }</li>`,
    )}</ul>
<p class="actions"><a class="button" href="${path}">Start over</a> <a href="/docs/filters">How to filter</a></p>
<p>${isGoodCall ? 'The API accepts the same query:' : 'The API responds to the same query with status 422 and the same messages.'}</p>
${apiCall('call', baseUrl, call)}
</div>`,
  )
}

export interface DeepList {
  readonly baseUrl: string
  /** The API request of the page, relative to /api/v1. */
  readonly call: string
  /** The URL of the list's first page. */
  readonly firstPage: string
  /** Rows of the list. */
  readonly total: number
  /** How many pages of it are shown. */
  readonly pagesMax: number
}

export function tooDeepPage(site: Site, { baseUrl, call, firstPage, total, pagesMax }: DeepList): string {
  const title = `Only the first ${pagesMax} pages are shown`
  return page(
    site,
    { title, description: `${title}.`, path: '/explore' },
    html`<div class="stack refused">
<h1>${title}</h1>
<p class="lede" id="results">This list has ${formatNumber(total)} entries. Add filters to make it shorter, or get all of it from the API.${
      site.isOpen && html` With an account, which is free, you can also open every page here.`
    }</p>
<p class="actions"><a class="button" href="${firstPage}">Back to the list</a> ${
      site.isOpen ? html`<a href="/sign-up">Sign up</a>` : html`<a href="/sign-in">Sign in</a>`
    } <a href="/docs/pagination">Read the docs</a></p>
<p>The API call for this page:</p>
${apiCall('call', baseUrl, call)}
</div>`,
  )
}

/** `what` is a sentence without its full stop. */
export function missingPage(site: Site, what: string, action: { text: string; href: string }): string {
  return messagePage(
    site,
    what,
    html`<p class="lede">It may have been removed, or the URL mistyped.</p>
<p class="actions"><a class="button" href="${action.href}">${action.text}</a></p>`,
  )
}

export function tooManyViewsPage(site: Site, seconds: number): string {
  return messagePage(
    site,
    'Too many requests',
    html`<p class="lede">Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}. For automated access use the <a href="/docs">API</a>, which has a free plan.</p>`,
  )
}

/** `seconds` is the time until views are counted from zero again. */
export function dayOfViewsPage(site: Site, seconds: number): string {
  return messagePage(
    site,
    'No more page views today',
    html`<p class="lede">The number of explorer pages per day is limited. You can continue at 00:00 UTC, in ${formatWait(seconds)}.</p>
<p>For more data use the API: it returns up to 100 watches per request${site.isOpen && ', and the Free plan costs nothing'}.</p>
<p class="actions">${
      site.visitor === undefined && site.isOpen
        ? html`<a class="button" href="/sign-up">Get a free key</a> <a href="/docs">Read the docs</a>`
        : html`<a class="button" href="/docs">Read the docs</a>`
    }</p>`,
  )
}

function messagePage(site: Site, title: string, body: Html): string {
  return page(
    site,
    { title, description: `${title}.`, path: '/explore' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>${title}</h1>
${body}
</div>
${stoppedDial('1970-01-04T10:10:00Z', 'A watch dial, stopped')}
</section>`,
  )
}
