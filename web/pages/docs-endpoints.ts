// In charge of the part of the docs page that lists the endpoints: what each takes, what it answers, and an answer
// that it really gave.

import { withCode } from './block.ts'
import type { DocsData, DocsEndpoint, Reference } from './docs-data.ts'
import { foldedExample } from './docs-example.ts'
import { breakable } from './docs-links.ts'
import { fieldsTable, parametersTable } from './docs-tables.ts'
import { type Html, html } from './html.ts'

export function endpoints({ baseUrl, reference }: DocsData): Html {
  return html`<p>What answers <code>GET</code> answers <code>HEAD</code> too, with the same headers and no body. The answers below are those of the sample catalogue that the service comes with.</p>
${reference.endpoints.map((endpoint) => describe(endpoint, reference, baseUrl))}`
}

function describe(endpoint: DocsEndpoint, reference: Reference, baseUrl: string): Html {
  const { anchor, method, path, summary, description, examples, statuses } = endpoint
  return html`<section class="endpoint stack" aria-labelledby="${anchor}">
<h3 id="${anchor}"><a class="anchor" href="#${anchor}">${summary}</a></h3>
<p class="path"><code>${method} ${breakable(path)}</code></p>
<p>${withCode(description)}</p>
${takes(endpoint)}
${sends(endpoint, reference)}
${fields(endpoint, reference)}
<p>Statuses: ${statuses.map((status, at) => html`${at > 0 && ', '}${status}`)}. <a href="#errors">What they mean</a></p>
${examples.length > 0 && html`<div class="examples">${examples.map((example, at) => foldedExample(baseUrl, example, at === 0))}</div>`}
</section>
`
}

function takes({ method, path, parameters, takesListParameters }: DocsEndpoint): Html {
  return html`${parameters.length > 0 && parametersTable(`Parameters of ${method} ${path}`, parameters)}
${takesListParameters && html`<p>Takes all <a href="#parameters">parameters of a list</a> and all <a href="#filters">filters</a>.</p>`}`
}

/** Said of a body apart, since its fields are called as those of the answer. */
function sends({ body }: DocsEndpoint, { schemas }: Reference): Html {
  const schema = schemas.find((one) => one.name === body)
  if (schema === undefined) return html``
  return html`<p>Send as JSON:</p>
${fieldsTable(schema)}`
}

/** The fields of a watch stand above, where everybody looks for them; those of the others where they first occur. */
function fields({ anchor, schema: name }: DocsEndpoint, { schemas, endpoints }: Reference): Html {
  const schema = schemas.find((one) => one.name === name)
  const first = name === 'Watch' ? 'watch' : endpoints.find((one) => one.schema === name)?.anchor
  if (schema === undefined || first === undefined) return html``
  if (first === anchor) return fieldsTable(schema)
  return html`<p>The fields within <code>data</code> are <a href="#${first}">those of a ${spoken(name)}</a>.</p>`
}

/** `WebhookWithSecret` → `webhook with secret`. */
function spoken(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}
