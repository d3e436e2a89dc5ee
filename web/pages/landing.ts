// In charge of the front page: what this service is, the catalogue to try it on, how one asks it, what it costs.

import { codeBlock, copyBlock } from './layout/block.ts'
import { runningDial } from './layout/dial.ts'
import { formatNumber } from './layout/format.ts'
import { type Html, html } from './layout/html.ts'
import type { Instance, Plan } from './layout/instance.ts'
import { highlightJson, listAnswer } from './layout/json.ts'
import { page } from './layout/layout.ts'
import { curlExample } from './layout/request.ts'
import type { Site } from './layout/site.ts'
import { plansTable } from './plans.ts'

/** `live` is the filter with what it finds. */
export function landingPage(site: Site, data: Instance, live: Html): string {
  return page(
    site,
    {
      title: 'watchdata',
      description: `A catalogue of ${formatNumber(data.watches)} watches, published as a JSON API.`,
      path: '/',
    },
    html`${hero(site, data)}${tryIt(live)}${example(data)}${reasons}${plansSection(site, data.plans)}`,
  )
}

function hero(site: Site, { watches, brands, now }: Instance): Html {
  return html`<section class="hero">
<div class="hero-text stack">
<h1 class="display">Watch data that answers any question.</h1>
<p class="lede">Brands, references, prices and every spec there is, as JSON over HTTPS. Filter by any key, in any unit; totals are exact.</p>
<dl class="figures">
${figure(watches, 'watch', 'watches')}
${figure(brands, 'brand', 'brands')}
</dl>
<p class="actions">${firstStep(site)} <a href="/explore">Explore the catalogue</a></p>
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

function figure(count: number, one: string, many: string): Html {
  return html`<div><dt>${count === 1 ? one : many}</dt><dd>${formatNumber(count)}</dd></div>`
}

function tryIt(live: Html): Html {
  return html`<section aria-labelledby="live" class="stack">
<h2 id="live">Ask the catalogue</h2>
<p>This is the catalogue itself, filtered as the API filters it. Write <code>10 bar</code>, <code>100 m</code> or <code>330 ft</code>: it is the same.</p>
${live}
</section>
`
}

function example(data: Instance): Html {
  return html`<section class="split" aria-labelledby="example">
<div class="stack">
<h2 id="example">One request</h2>
<p>Send your key in the <code>Authorization</code> header. The list comes back in <code>data</code>, its page and its exact total in <code>meta</code>.</p>
${copyBlock('example-curl', 'Request', curlExample(data.baseUrl))}
<p><a href="/docs">Getting started</a></p>
</div>
${codeBlock('Answer', highlightJson(listAnswer(data)))}
</section>
`
}

const reasons = html`<section aria-labelledby="reasons">
<h2 id="reasons">Made for programs that depend on it</h2>
<dl class="reasons">
<div><dt>Any spec is a filter</dt><dd>The set of keys is open, and every one of them can be asked for: one value, several, a range, its absence. <a href="/docs/filters">Filters and units</a></dd></div>
<div><dt>A quota you can see</dt><dd>Each answer says how many requests are left today. What has not changed costs none of them. <a href="/docs/quotas">Quotas</a></dd></div>
<div><dt>Told, not polled</dt><dd>Webhooks are signed, retried for days and kept in order. Each delivery can be looked at and sent again. <a href="/docs/webhooks">Webhooks</a></dd></div>
<div><dt>A copy without gaps</dt><dd>Take everything once, follow the change feed from there, and hold exactly the catalogue. <a href="/docs/changes">Change feed</a></dd></div>
</dl>
</section>
`

function plansSection(site: Site, plans: readonly Plan[]): Html {
  return html`<section class="split">
<div class="stack">
<h2 id="plans">Plans</h2>
<p>A plan sets how many requests an account has a day, and what it may ask for. The day begins at 00:00 UTC. Begin with the free one; ask for another whenever you need it.</p>
<p class="actions">${firstStep(site)} <a href="/docs/quotas">How requests are counted</a></p>
</div>
${plansTable(plans)}
</section>`
}
