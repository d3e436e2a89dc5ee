// In charge of the part of the docs page that is about webhooks: what is sent, how it is known to be genuine, and what is
// done when it is not taken. The page cannot ask the service for these tables; a test compares them with its own.

import { codeBlock, withCode } from './block.ts'
import type { DocsData } from './docs-data.ts'
import { compactJson, curlRequest } from './docs-example.ts'
import { endpointLink } from './docs-links.ts'
import { twoColumns } from './docs-tables.ts'
import { formatNumber } from './format.ts'
import { type Child, type Html, html } from './html.ts'
import type { Plan } from './instance.ts'
import { highlightJson } from './json.ts'

export function webhooks(data: DocsData): Html {
  const { baseUrl, plans, reference } = data
  const changes = endpointLink(reference, '/changes')
  return html`<p>The service posts every change of the catalogue to an address of yours, within seconds, until you have taken it. ${allowance(plans)}</p>
${trying(data, changes)}
<h3 id="webhook-create">Make one</h3>
${codeBlock('Request', curlRequest(baseUrl, '/webhooks', 'POST', newWebhook))}
<p>The answer has the <code>secret</code> that events are signed with, shown only this once. A <code>filter</code> is a query of the list of watches: then only watches are sent that match it before or after the change, and no brands.</p>
<p>With an <code>Idempotency-Key</code> header of your making, a request that creates, tests, redelivers or rotates can be repeated for 24 hours and is done once.</p>
<h3 id="webhook-events">Events</h3>
${twoColumns(
  'Events',
  ['Event', 'When'],
  events.map(([type, when]) => [html`<code>${type}</code>`, withCode(when)]),
)}
${codeBlock('Body of an event', highlightJson(compactJson(eventExample)))}
<p><code>watch</code> is whole, as it was right after the change; here most of its specs are left out. Events of brands have <code>brand_id</code> and <code>brand</code> instead.</p>
${verification()}
${answering()}
${following(changes)}`
}

function trying({ baseUrl }: DocsData, changes: Html): Html {
  const listen = [
    'bin/watchdata listen',
    `--url ${baseUrl}`,
    '--forward-to http://localhost:3000/events',
  ].join(' \\\n  ')
  return html`<h3 id="webhook-listen">Try it on your own machine</h3>
<p><code>watchdata listen</code> brings events to a program on your machine, which needs no public address. It follows ${changes} with your key, and signs and posts each event as a webhook would; waiting costs no request.</p>
<p>The command comes with the code of this service: ask its operator where the repository is, <code>git clone</code> it and run <code>npm ci</code> in it. Without it, the curl request of <a href="#copy">Keep a copy</a> shows the same changes.</p>
${codeBlock('1. Listen, and copy the secret that it prints', `export WATCHDATA_KEY=YOUR_API_KEY\n${listen}`)}
${codeBlock('2. Start your program with it, in another terminal', 'WEBHOOK_SECRET=whsec_… node receiver.mjs')}
<p>The receiver <a href="#webhook-verify">below</a> will do for <code>receiver.mjs</code>. An event that your program is not there for is tried again for a few seconds.</p>`
}

/** Only plans that have some. */
function allowance(plans: readonly Plan[]): Child {
  const named = plans.filter(({ webhooksMax }) => webhooksMax > 0)
  if (named.length === 0) return undefined
  const counts = named.map(({ name, webhooksMax }) => `${name} has ${formatNumber(webhooksMax)}`)
  return `${counts.join(', ')}; one more is answered 403.`
}

function verification(): Html {
  return html`<h3 id="webhook-verify">Verify the signature</h3>
<p>Anybody can post to your address. Events are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> has it, and there are libraries for most languages; for Node, <code>npm install standardwebhooks</code>. Give it the body as it came, byte for byte.</p>
${codeBlock('Node: receiver.mjs', receiverSample)}
${twoColumns(
  'Headers of an event',
  ['Header', 'Meaning'],
  headers.map(([name, meaning]) => [html`<code>${name}</code>`, withCode(meaning)]),
)}
<p>For 24 hours after the secret was rotated, events have two signatures: change it on your side within that day, and nothing is missed. Rotated again within that day, the older one is dropped at once.</p>`
}

function answering(): Html {
  return html`<h3 id="webhook-retries">Answer, and what happens if you do not</h3>
<p>Any 2xx within 15 seconds will do; put the event into a queue of yours, and do the work afterwards. Redirects are not followed. Whatever else happens, it is tried again after ${retries.slice(0, -1).join(', ')} and ${retries.at(-1)}, each a tenth more or less.</p>
<ul class="rules">
<li>After its last try an event is given up (<code>failed</code>), if you took others meanwhile. As long as you take nothing at all, nothing is given up.</li>
<li>After five days of nothing but failure the webhook is disabled. An answer of 410 disables it at once. Either way you get a mail.</li>
<li>While it is <code>paused</code>, events are kept and sent later. While it is <code>disabled</code>, none are recorded: what happened then is in the change feed.</li>
<li>The log of deliveries has the last 30 days, with every attempt and your answers. From there an event can be sent again; it then goes before newer ones of its watch that wait.</li>
</ul>`
}

function following(changes: Html): Html {
  return html`<h3 id="webhook-order">Order, duplicates and gaps</h3>
<ul class="rules">
<li>The events of one watch come in order: while one waits for its next try, the later ones wait behind it. Those of other watches go on.</li>
<li>An event can come twice, as when your answer was lost. Its <code>webhook-id</code> is the same each time.</li>
<li><code>previous_sequence</code> is the <code>sequence</code> of the event that was made for this webhook before. If that one never came, ask ${changes} with <code>since</code> for what you missed.</li>
<li>Of the first event it is how far the log was when the webhook was made, which is no gap. Of the first after it was <code>disabled</code> it is how far the log was when it became active again: everything up to there that you do not have is missing.</li>
</ul>`
}

const newWebhook = {
  endpoint_url: 'https://example.com/events',
  events: ['watch.price_changed'],
  filter: 'brand=Rolex',
}

export const events: readonly (readonly [type: string, when: string])[] = [
  ['watch.created', 'A watch is new.'],
  ['watch.updated', 'Fields or specs of a watch changed; `changes` has the old and the new value of each.'],
  ['watch.price_changed', 'A price changed. When nothing else did, there is no `watch.updated`.'],
  [
    'watch.deleted',
    'A watch is gone: `watch` is null, and `deleted` has its `brand`, `collection` and `reference_number`.',
  ],
  ['brand.created', 'A brand is new.'],
  [
    'brand.updated',
    'A brand changed. A new name is also a `watch.updated` of each of its watches. `merged` has the brands that it took in, which are gone.',
  ],
  ['webhook.test', 'You asked for it. It is tried once.'],
]

export const retries: readonly string[] = [
  '5 s',
  '5 min',
  '30 min',
  '2 h',
  '5 h',
  '10 h',
  '14 h',
  '20 h',
  '24 h',
]

const headers: readonly (readonly [name: string, meaning: string])[] = [
  ['webhook-id', 'The same for every attempt to send an event.'],
  [
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. The libraries refuse what is older than five minutes.',
  ],
  [
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. The key is the part of the secret after `whsec_`, decoded from base64.',
  ],
]

export const eventExample = {
  type: 'watch.price_changed',
  timestamp: '2026-11-15T16:40:12.345Z',
  data: {
    sequence: 396,
    previous_sequence: 395,
    watch_id: 242,
    watch: {
      id: 242,
      brand: 'Rolex',
      collection: 'Submariner',
      reference_number: '124060',
      retail_price_usd: 9500,
      current_market_price: 12100,
      specs: { movement_type: 'Automatic', case_material: 'Oystersteel', dial_color: 'Black' },
      updated_at: '2026-11-15T16:40:12.345Z',
    },
    changes: { current_market_price: { old: 11800, new: 12100 } },
  },
}

export const receiverSample = `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers)
    console.log(event.type, event.data.watch_id ?? event.data.brand_id)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error.message)
    response.writeHead(400).end()
  }
}).listen(process.env.PORT ?? 3000)
`
