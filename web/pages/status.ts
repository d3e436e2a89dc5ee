// Renders the status page of this instance, for its operator. It must contain no secrets: anyone who can reach the
// server can see it.

import { formatNumber, formatSpan, utcTime } from './layout/format.ts'
import { type Child, type Html, html } from './layout/html.ts'
import type { Instance } from './layout/instance.ts'
import { page } from './layout/layout.ts'
import type { Site } from './layout/site.ts'

export function statusPage(site: Site, data: Instance): string {
  return page(
    site,
    { title: 'Status', description: 'The state of this watchdata instance.', path: '/status' },
    state(data),
  )
}

function state(data: Instance): Html {
  return html`<section>
<div class="heading">
<h1>This instance</h1>
<p class="status ${data.ready ? 'status-ready' : 'status-waiting'}">${data.ready ? 'Ready' : 'Not ready'}</p>
</div>
<p class="lede">${data.ready ? readyState : notReadyState}</p>
<dl class="facts">
${fact('Watches', formatNumber(data.watches))}
${fact('Brands', formatNumber(data.brands))}
${fact('Last change', lastChange(data), data.lastChangeAt && html`Sequence ${formatNumber(data.sequence)}`)}
${fact('Uptime', formatSpan(data.startedAt, data.now), html`Since ${utcTime(data.startedAt)}`)}
${fact('Database', engineNames[data.engine])}
${fact('Version', data.version)}
</dl>
<ul class="links" aria-label="More">
<li><a href="/healthz">/healthz</a>: whether the process is running</li>
<li><a href="/readyz">/readyz</a>: whether the service can handle requests</li>
<li><a href="/docs">Docs</a>: how to use the API and run the service</li>
</ul>
<p class="note">As of ${utcTime(data.now)}. Reload to update.</p>
</section>
`
}

function fact(name: string, value: Child, note?: Child): Html {
  return html`<div><dt>${name}</dt><dd>${value}${note && html`<small>${note}</small>`}</dd></div>`
}

function lastChange({ lastChangeAt }: Instance): Child {
  return lastChangeAt === undefined ? 'None yet' : utcTime(lastChangeAt)
}

const readyState = 'The catalogue is loaded and the API is serving requests.'
const notReadyState = 'The instance is starting or shutting down. Requests may fail until it is ready.'

const engineNames: Record<Instance['engine'], string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
