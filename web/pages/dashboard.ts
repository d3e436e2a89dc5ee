// In charge of the page that the dashboard app runs in: whose it is, and what stands there until the app does.

import { html, raw } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site, Visitor } from './layout/site.ts'

/** What the app is told before it asks; `DashboardStart` of the contract is the same. */
export interface Start extends Visitor {
  readonly baseUrl: string
  readonly sendsMail: boolean
}

export function dashboardPage(site: Site, start: Start): string {
  const { dashboard, dashboardStyle } = site.assets
  return page(
    site,
    {
      title: 'Dashboard',
      description: 'Keys, use, webhooks and plan of your account.',
      path: '/dashboard',
      script: dashboard,
      ...(dashboardStyle === undefined ? {} : { style: dashboardStyle }),
    },
    html`<div id="dashboard">
<p class="unseen" role="status">Loading the dashboard</p>
<div class="skeleton" aria-hidden="true">
<span class="skeleton-title"></span>
<span class="skeleton-line"></span>
<div class="skeleton-cards"><span></span><span></span><span></span></div>
<span class="skeleton-chart"></span>
</div>
</div>
<noscript>
<div class="stack">
<h1>The dashboard needs JavaScript</h1>
<p class="lede">Turn it on for this site, and load the page again.</p>
<p>Without it you can <a href="/explore">explore the catalogue</a>, <a href="/docs">read the docs</a> and <a href="/sign-out">sign out</a>. Whoever runs this service can create keys and change plans on the command line: <code>watchdata account --help</code>, <code>watchdata key --help</code>.</p>
</div>
</noscript>
<script type="application/json" id="start">${raw(asData(start))}</script>`,
  )
}

/** JSON that no text within it can end the element of, or begin a comment in. */
function asData(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
