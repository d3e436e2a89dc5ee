// In charge of the answer to a page that does not exist.

import { stoppedDial } from './layout/dial.ts'
import { html } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site } from './layout/site.ts'

export function notFoundPage(site: Site): string {
  return page(
    site,
    { title: 'Not found', description: 'There is no page at this address.', path: '' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>There is no page at this address.</h1>
<p class="lede">The link may be old, or the address mistyped.</p>
<p class="actions"><a class="button" href="/">Go to the front page</a> <a href="/docs">Read the docs</a></p>
</div>
${stoppedDial('1970-01-04T04:04:00Z', 'A watch dial, stopped at 4:04')}
</section>`,
  )
}
