// In charge of the front page: what this service is, how one asks it, what it answers, what it costs.

import { codeBlock } from './block.ts'
import { runningDial } from './dial.ts'
import { formatNumber } from './format.ts'
import { type Html, html } from './html.ts'
import type { Instance, Plan } from './instance.ts'
import { highlightJson, listAnswer } from './json.ts'
import { page } from './layout.ts'
import { plansTable } from './plans.ts'
import { curlExample } from './request.ts'

export function landingPage(data: Instance): string {
  return page(
    {
      title: 'watchdata',
      description: `A catalogue of ${formatNumber(data.watches)} watches, published as a JSON API.`,
      path: '/',
    },
    html`${hero(data)}${example(data)}${plansSection(data.plans)}`,
  )
}

function hero({ watches, brands, now }: Instance): Html {
  return html`<section class="hero">
<div class="hero-text stack">
<h1>A catalogue of watches, published as a JSON API.</h1>
<dl class="figures">
${figure(watches, 'watch', 'watches')}
${figure(brands, 'brand', 'brands')}
</dl>
<p class="actions"><a class="button" href="/docs">Read the docs</a> <a href="/dashboard">State of this instance</a></p>
</div>
${runningDial(now)}
</section>
`
}

function figure(count: number, one: string, many: string): Html {
  return html`<div><dt>${count === 1 ? one : many}</dt><dd>${formatNumber(count)}</dd></div>`
}

function example(data: Instance): Html {
  return html`<section class="split" aria-labelledby="example">
<div class="stack">
<h2 id="example">One request</h2>
<p>Send your key in the <code>Authorization</code> header. The list comes back in <code>data</code>, its page and its exact total in <code>meta</code>.</p>
${codeBlock('Request', curlExample(data.baseUrl))}
<p class="note">Trying it on your own machine? <code>npm start</code> prints a demo key.</p>
</div>
${codeBlock('Answer', highlightJson(listAnswer(data)))}
</section>
`
}

function plansSection(plans: readonly Plan[]): Html {
  return html`<section class="split" aria-labelledby="plans">
<div class="stack">
<h2 id="plans">Plans</h2>
<p>A plan sets how many requests an account has a day, and what it may ask for. Every answer says how many are left. The day begins at 00:00 UTC.</p>
<p><a href="/docs#quotas">How requests are counted</a></p>
</div>
${plansTable(plans)}
</section>`
}
