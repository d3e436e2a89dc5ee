// Renders what every page shares: the head, the header with its navigation, and the footer.

import { type Html, html } from './html.ts'
import type { Site } from './site.ts'

export interface PageInfo {
  title: string
  description: string
  /** The page's path: marks the navigation entry that the page is or is below. */
  path: string
  /** Replaces the script of the public pages. */
  script?: string
  /** A second stylesheet, loaded after the one of every page. */
  style?: string
}

export function page(site: Site, info: PageInfo, body: Html): string {
  return html`<!doctype html>
<html lang="en">
${head(site, info)}
<body>
<a class="skip" href="#main">Skip to content</a>
${header(site, info.path)}
<main id="main" class="frame" tabindex="-1">
${body}
</main>
${footer(site)}
</body>
</html>
`.text
}

function head({ assets }: Site, { title, description, script = assets.page, style }: PageInfo): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === siteName ? title : `${title} · ${siteName}`}</title>
<meta name="description" content="${description}">
<link rel="stylesheet" href="${assets.style}">${
    style !== undefined &&
    html`
<link rel="stylesheet" href="${style}">`
  }
<link rel="alternate" href="/llms.txt" type="text/plain" title="The docs for programs">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script type="module" src="${script}"></script>
</head>`
}

function header({ visitor, isOpen, hasExplorer }: Site, path: string): Html {
  const link = ([name, href]: readonly [string, string]) =>
    html`<li><a href="${href}"${isWithin(path, href) && html` aria-current="page"`}>${name}</a></li>`
  return html`<header class="top">
<div class="frame">
<a class="wordmark" href="/">${wordmark}${siteName}</a>
<nav aria-label="Main">
<ul>${hasExplorer && link(['Explore', '/explore'])}${link(['Docs', '/docs'])}${
    visitor === undefined
      ? html`${link(['Sign in', '/sign-in'])}${isOpen && html`<li><a class="top-action" href="/sign-up"${path === '/sign-up' && html` aria-current="page"`}>Sign up</a></li>`}`
      : html`${link(['Dashboard', '/dashboard'])}`
  }</ul>
</nav>
</div>
</header>`
}

function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`)
}

const siteName = 'watchdata'

const wordmark = html`<svg class="mark" viewBox="-12 -12 24 24" aria-hidden="true"><circle r="10"/><path d="M0 0 V-5.6 M0 0 L4.4 2.6"/><path class="mark-second" d="M0 -11.6 V-7.6"/></svg>`

function footer({ hasExplorer }: Site): Html {
  return html`<footer class="bottom">
<div class="frame">
<p>${siteName} is self-hosted: this page comes from one server and loads nothing from anywhere else.</p>
<ul>${
    hasExplorer &&
    html`
<li><a href="/explore">Explore</a></li>`
  }
<li><a href="/docs">Docs</a></li>
<li><a href="/openapi.json">OpenAPI</a></li>
<li><a href="/llms.txt">For agents</a></li>
<li><a href="/status">Status</a></li>
</ul>
</div>
</footer>`
}
