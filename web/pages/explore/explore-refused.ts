// Renders the explorer's error pages: an invalid query, a watch or brand that does not exist, too many requests.
// Each says what to do instead.

import { apiCall } from '../layout/call.ts'
import { stoppedDial } from '../layout/dial.ts'
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
  /** The invalid API request, relative to /api/v1. */
  readonly call: string
  readonly wrong: readonly WrongField[]
  /** The URL of the "Start over" link. */
  readonly path: string
}

export function invalidQueryPage(site: Site, { baseUrl, call, wrong, path }: RefusedQuery): string {
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
<p>The API responds to the same query with status 422 and the same messages.</p>
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
