// In charge of what every page shares: the head, the header with its navigation, the footer.

import { type Html, html } from './html.ts'

interface PageInfo {
  title: string
  description: string
  /** Marks the entry of the navigation that this page is. */
  path: string
}

export function page({ title, description, path }: PageInfo, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === siteName ? title : `${title} · ${siteName}`}</title>
<meta name="description" content="${description}">
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<div class="frame">
<a class="wordmark" href="/">${wordmark}${siteName}</a>
<nav aria-label="Main">
<ul>${navEntries.map(([name, href]) => html`<li><a href="${href}"${href === path && html` aria-current="page"`}>${name}</a></li>`)}</ul>
</nav>
</div>
</header>
<main id="main" class="frame" tabindex="-1">
${body}
</main>
<footer class="bottom">
<div class="frame">
<p>${siteName} is self-hosted: this page came from one server and loads nothing from anywhere else.</p>
</div>
</footer>
</body>
</html>
`.text
}

const siteName = 'watchdata'

const navEntries = [
  ['Home', '/'],
  ['Docs', '/docs'],
  ['Dashboard', '/dashboard'],
] as const

const wordmark = html`<svg class="mark" viewBox="-12 -12 24 24" aria-hidden="true"><circle r="10"/><path d="M0 0 V-5.6 M0 0 L4.4 2.6"/><path class="mark-second" d="M0 -11.6 V-7.6"/></svg>`
