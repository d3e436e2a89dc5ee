// In charge of the part of the docs page that tells how to keep a copy of the catalogue: all of it once, and from then on
// what changes.

import { codeBlock } from './block.ts'
import type { DocsData } from './docs-data.ts'
import { endpointLink, plansWith } from './docs-links.ts'
import { type Html, html } from './html.ts'
import { apiAddress } from './request.ts'

export function keepCopy({ baseUrl, plans, reference }: DocsData): Html {
  const api = apiAddress(baseUrl)
  const exporting = endpointLink(reference, '/export')
  const changes = endpointLink(reference, '/changes')
  return html`<p>Take everything once, then only what changes. Nothing is missed, however much is written meanwhile.</p>
<ol class="rules">
<li>${exporting} (${plansWith(plans, 'export')}) is every watch, one JSON object on a line. Its header <code>X-Change-Cursor</code> is a place in the log of changes.</li>
<li>${changes} (${plansWith(plans, 'changes')}) is what happened after that place, oldest first. Each change has the watch as it is now, or null where it is deleted: put it into your copy, or take it out.</li>
<li>Keep <code>meta.next_cursor</code> with your copy and ask again with it as <code>since</code>.</li>
</ol>
${codeBlock(
  'Everything, with the cursor in headers.txt',
  `curl --compressed '${api}/export' \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -D headers.txt -o watches.ndjson`,
)}
${codeBlock(
  'What has changed, free of charge as long as nothing has',
  `curl -G '${api}/changes' \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'If-None-Match: "THE_CURSOR"' \\
  -d 'since=THE_CURSOR' -d 'limit=500' -d 'wait=10'`,
)}
<p>A plan without the export begins with <code>since=0</code>: the log from its start has every watch too. A cursor is good until the operator restores the database from a backup; then it is answered 422, and the copy begins anew.</p>`
}
