// Renders the 404 page.

import { stoppedDial } from './layout/dial.ts'
import { html } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site } from './layout/site.ts'

export function notFoundPage(site: Site): string {
  return page(
    site,
    { title: 'Not found', description: 'This page does not exist.', path: '' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>This page does not exist</h1>
<p class="lede">The link may be outdated, or the URL mistyped.</p>
<p class="actions"><a class="button" href="/">Go to the home page</a> <a href="/docs">Read the docs</a></p>
</div>
${stoppedDial('1970-01-04T04:04:00Z', 'A watch dial, stopped at 4:04')}
</section>`,
  )
}
