// Renders the home page: what the service is, a live filter of the catalogue, an example request, and the plans.

import { codeBlock, copyBlock } from './layout/block.ts'
import { runningDial } from './layout/dial.ts'
import { formatNumber } from './layout/format.ts'
import { type Html, html } from './layout/html.ts'
import type { Instance, Plan } from './layout/instance.ts'
import { highlightJson, listAnswer } from './layout/json.ts'
import { page } from './layout/layout.ts'
import { curlExample } from './layout/request.ts'
import { searchField } from './layout/search-field.ts'
import type { Site } from './layout/site.ts'
import { plansTable } from './plans.ts'

/** `live` is the filter form with its results; undefined where there is no explorer. */
export function landingPage(site: Site, data: Instance, live: Html | undefined): string {
  return page(
    site,
    {
      title: 'watchdata',
      description: `A catalogue of ${formatNumber(data.watches)} watches, published as a JSON API.`,
      path: '/',
    },
    html`${hero(site, data)}${live && tryIt(live)}${example(data)}${reasons}${plansSection(site, data.plans)}`,
  )
}

function hero(site: Site, { watches, brands, now }: Instance): Html {
  return html`<section class="hero">
<div class="hero-text stack">
<h1 class="display">Watch data that answers any question.</h1>
<p class="lede">Brands, references, prices and specs as JSON over HTTPS. Filter by any spec, in any unit, with exact totals.</p>
<dl class="figures">
${figure(watches, 'watch', 'watches')}
${figure(brands, 'brand', 'brands')}
</dl>
<p class="actions">${firstStep(site)}${secondStep(site)}</p>
</div>
${runningDial(now)}
</section>
`
}

function firstStep({ visitor, isOpen }: Site): Html {
  if (visitor !== undefined) return html`<a class="button" href="/dashboard">Open your dashboard</a>`
  if (isOpen) return html`<a class="button" href="/sign-up">Get a free key</a>`
  return html`<a class="button" href="/docs">Read the docs</a>`
}

/** Empty where it would repeat the first step. */
function secondStep({ visitor, isOpen, hasExplorer }: Site): Html | false {
  if (hasExplorer) return html` <a href="/explore">Explore the catalogue</a>`
  return (visitor !== undefined || isOpen) && html` <a href="/docs">Read the docs</a>`
}

function figure(count: number, one: string, many: string): Html {
  return html`<div><dt>${count === 1 ? one : many}</dt><dd>${formatNumber(count)}</dd></div>`
}

function tryIt(live: Html): Html {
  return html`<section aria-labelledby="live" class="stack">
<h2 id="live">Search the catalogue</h2>
<p>This is the live catalogue, searched and filtered exactly as by the API. Use any unit: <code>10 bar</code>, <code>100 m</code> and <code>330 ft</code> give the same results.</p>
<form class="search" role="search" aria-label="Words" action="/explore">
${searchField('')}
<button class="button">Search</button>
</form>
${live}
</section>
`
}

function example(data: Instance): Html {
  return html`<section class="split" aria-labelledby="example">
<div class="stack">
<h2 id="example">One request</h2>
<p>Send your API key in the <code>Authorization</code> header. The response has the list in <code>data</code>, and the page and exact total in <code>meta</code>.</p>
${copyBlock('example-curl', 'Request', curlExample(data.baseUrl))}
<p><a href="/docs">Getting started</a></p>
</div>
${codeBlock('Response', highlightJson(listAnswer(data)))}
</section>
`
}

const reasons = html`<section aria-labelledby="reasons">
<h2 id="reasons">Built for programs that depend on it</h2>
<dl class="reasons">
<div><dt>Filter by any spec</dt><dd>Spec keys are not a fixed list, and you can filter by every one of them: one value, several values, a range, or no value at all. <a href="/docs/filters">Filters and units</a></dd></div>
<div><dt>A quota you can see</dt><dd>Every response shows how many requests you have left today. Requests for unchanged data cost no quota. <a href="/docs/quotas">Quotas</a></dd></div>
<div><dt>Webhooks instead of polling</dt><dd>Webhooks are signed, retried for days and sent in order for each watch. You can inspect and redeliver every event. <a href="/docs/webhooks">Webhooks</a></dd></div>
<div><dt>An exact copy</dt><dd>Export everything once, then follow the change feed to keep an exact copy of the catalogue. <a href="/docs/changes">Change feed</a></dd></div>
</dl>
</section>
`

function plansSection(site: Site, plans: readonly Plan[]): Html {
  return html`<section class="split">
<div class="stack">
<h2 id="plans">Plans</h2>
<p>Your plan sets your daily request quota and the data you can access. Quotas reset at 00:00 UTC. Start with the Free plan and request another whenever you need it.</p>
<p class="actions">${firstStep(site)} <a href="/docs/quotas">How requests are counted</a></p>
</div>
${plansTable(plans)}
</section>`
}
