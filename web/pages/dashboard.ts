// Renders the page that the dashboard app runs in: the signed-in user as JSON, and a skeleton until the app has loaded.

import { html, raw } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site, Visitor } from './layout/site.ts'

/** What the app knows before its first request. Same as `DashboardStart` in web/account-api.ts. */
export interface Start extends Visitor {
  readonly baseUrl: string
  readonly sendsMail: boolean
  readonly hasExplorer: boolean
}

export function dashboardPage(site: Site, start: Start): string {
  const { dashboard, dashboardStyle } = site.assets
  return page(
    site,
    {
      title: 'Dashboard',
      description: 'The API keys, usage, webhooks and plan of your account.',
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
<p class="lede">Turn it on for this site and reload the page.</p>
<p>Without JavaScript you can ${start.hasExplorer && html`<a href="/explore">explore the catalogue</a>, `}<a href="/docs">read the docs</a> and <a href="/sign-out">sign out</a>. The operator of this service can create keys and change plans on the command line: <code>watchdata account --help</code>, <code>watchdata key --help</code>.</p>
</div>
</noscript>
<script type="application/json" id="start">${raw(asData(start))}</script>`,
  )
}

/** JSON in which no text can close the script element or open an HTML comment. */
function asData(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
