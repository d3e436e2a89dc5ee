// In charge of the part of the docs page that is about the quota: what each plan has, how requests are counted, what the
// headers say, and what happens when the day is spent.

import { withCode } from './block.ts'
import type { DocsData, DocsExample, Reference } from './docs-data.ts'
import { exampleBlocks } from './docs-example.ts'
import { headersTable } from './docs-tables.ts'
import { type Html, html } from './html.ts'
import { plansTable } from './plans.ts'

export function quotas({ baseUrl, plans, reference }: DocsData): Html {
  const spent = findSpent(reference)
  return html`<p>A plan sets how many requests an account has a day, and what it may ask for. What a plan does not include is answered 403.</p>
${plansTable(plans)}
<h3 id="counting">How requests are counted</h3>
<ul class="rules">${reference.quotaRules.map((rule) => html`<li>${withCode(rule)}</li>`)}</ul>
<h3 id="quota-headers">Where you stand</h3>
<p>Every answer says so in its headers. ${usageSentence(reference)}</p>
${headersTable('Headers of the quota', reference.quotaHeaders)}
${
  spent &&
  html`<h3 id="spent">When the day is spent</h3>
<p>Wait for as many seconds as <code>Retry-After</code> says, then go on.</p>
${exampleBlocks(baseUrl, spent)}`
}`
}

function usageSentence({ endpoints }: Reference): Html | false {
  const usage = endpoints.find(({ path }) => path === '/usage')
  if (usage === undefined) return false
  return html`<a href="#${usage.anchor}"><code>/usage</code></a> tells more, and costs nothing: the plan, what is used and left of today in <code>data</code>, and in <code>days</code> what was used on each of the last 30, today last.`
}

function findSpent({ endpoints }: Reference): DocsExample | undefined {
  return endpoints.flatMap(({ examples }) => examples).find(({ status }) => status === 429)
}
