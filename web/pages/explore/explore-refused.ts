// In charge of the explorer where it cannot show what was asked for: a query that is not valid, a watch or a brand that
// is not there, too many views at once. Each says what to do instead.

import { apiCall } from '../layout/call.ts'
import { stoppedDial } from '../layout/dial.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'

/** What the API says of one field, and the address without it. */
export interface WrongField {
  readonly field: string
  readonly sentences: readonly string[]
  readonly hrefWithout: string | undefined
}

export interface RefusedQuery {
  readonly baseUrl: string
  /** What the API was to be asked, below /api/v1. */
  readonly call: string
  readonly wrong: readonly WrongField[]
  /** Where one begins again. */
  readonly path: string
}

export function invalidQueryPage(site: Site, { baseUrl, call, wrong, path }: RefusedQuery): string {
  return page(
    site,
    { title: 'Not a valid query', description: 'This query cannot be answered as it is.', path: '/explore' },
    html`<div class="stack refused">
<h1>This query is not valid.</h1>
<ul class="ways-out" id="results">${wrong.map(
      ({ field, sentences, hrefWithout }) =>
        html`<li><code>${field}</code>: ${sentences.join(' ')}${
          hrefWithout !== undefined && html` <a href="${hrefWithout}">Remove it</a>`
        }</li>`,
    )}</ul>
<p class="actions"><a class="button" href="${path}">Start over</a> <a href="/docs">How to filter</a></p>
<p>The API answers the same query with status 422 and the same sentences.</p>
${apiCall('call', baseUrl, call)}
</div>`,
  )
}

/** `what` is a sentence. */
export function missingPage(site: Site, what: string, action: { text: string; href: string }): string {
  return messagePage(
    site,
    what,
    html`<p class="lede">It may have been removed, or the address mistyped.</p>
<p class="actions"><a class="button" href="${action.href}">${action.text}</a></p>`,
  )
}

export function tooManyViewsPage(site: Site, seconds: number): string {
  return messagePage(
    site,
    'Too many pages at once.',
    html`<p class="lede">Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}. Programs are welcome at the <a href="/docs">API</a>, which has a free plan.</p>`,
  )
}

function messagePage(site: Site, title: string, body: Html): string {
  return page(
    site,
    { title, description: title, path: '/explore' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>${title}</h1>
${body}
</div>
${stoppedDial('1970-01-04T10:10:00Z', 'A watch dial, stopped')}
</section>`,
  )
}
