// In charge of the part of the docs page that is about HTTP: what to keep, what is compressed, who may read, what the
// headers and the errors say.

import { codeBlock, withCode } from './block.ts'
import type { DocsData } from './docs-data.ts'
import { compactJson } from './docs-example.ts'
import { headersTable, twoColumns } from './docs-tables.ts'
import { type Html, html } from './html.ts'
import { highlightJson } from './json.ts'
import { apiAddress } from './request.ts'

export function conditional({ baseUrl }: DocsData): Html {
  return html`<p>Every answer of the catalogue has an <code>ETag</code>. Keep it with the answer and send it back as <code>If-None-Match</code>: as long as nothing changed, you get 304 and no body, which costs <a href="#quotas">no request</a>.</p>
${codeBlock(
  'Request',
  `curl -i '${apiAddress(baseUrl)}/watches' \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'If-None-Match: "THE_ETAG_YOU_HOLD"'`,
)}
<p>Answers of a kilobyte or more are compressed with zstd, gzip or Brotli for whoever accepts that; <code>curl --compressed</code> does. Each encoding has an <code>ETag</code> of its own.</p>`
}

export function browsers(): Html {
  return html`<p>Pages of any origin may call the API (CORS) and read the headers that matter. A key in a page can be read by everyone who opens it: use one that you can do without.</p>`
}

export function headers({ reference }: DocsData): Html {
  return html`${headersTable('Headers of answers', reference.answerHeaders)}
<p>Those of the quota are told under <a href="#quotas">Quotas and plans</a>.</p>
<p>You may send:</p>
${headersTable('Headers of requests', reference.requestHeaders)}`
}

export function errors({ problems, reference }: DocsData): Html {
  const invalid = reference.endpoints[0]?.examples.find(({ status }) => status === 422)
  return html`<p>Statuses from 400 on are errors. Every error is JSON and has a <code>message</code>. When parameters or fields are not valid, <code>errors</code> also lists what is wrong with each.</p>
${invalid && codeBlock(`GET ${invalid.request}`, highlightJson(compactJson(invalid.body)))}
${twoColumns(
  'Errors',
  ['Status', 'Message'],
  problems.map(({ status, message, when }) => [
    String(status),
    html`${message}<span class="kind">${withCode(when)}</span>`,
  ]),
)}`
}
