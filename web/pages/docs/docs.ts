// Renders what all docs pages share: the sidebar with all pages, the table of contents, and links to the previous
// and next page. The content comes from the Markdown files in docs/.

import { type Html, html, raw } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import { type DocsEntry, docsEntries, docsGroups, markdownPathOf } from './docs-pages.ts'
import type { DocPage, Heading } from './markdown.ts'

/** The placeholder for the API key in examples. */
const keyPlaceholder = 'YOUR_API_KEY'

export function docsPage(site: Site, entry: DocsEntry, { title, body, headings }: DocPage): string {
  return page(
    site,
    {
      title: entry.path === '/docs' ? 'Docs' : `${entry.name} · Docs`,
      description: entry.summary,
      path: entry.path,
      script: site.assets.docs,
    },
    html`<div class="docs">
<details class="docs-side">
<summary>All pages and contents</summary>
<div>
${sideList(entry)}
${contents(headings)}
</div>
</details>
<article class="docs-text">
<h1>${title}</h1>
${body.includes(keyPlaceholder) && keyBar(site, entry)}
${raw(body)}
${ending(entry)}
</article>
</div>`,
  )
}

function sideList(current: DocsEntry): Html {
  return html`<nav aria-label="Docs">
${[...docsGroups()].map(
  ([group, entries]) => html`<p>${group}</p>
<ol>${entries.map(
    (entry) =>
      html`<li><a href="${entry.path}"${entry === current && html` aria-current="page"`}>${entry.name}</a></li>`,
  )}</ol>
`,
)}</nav>`
}

function contents(headings: readonly Heading[]): Html | false {
  if (headings.length === 0) return false
  return html`<nav aria-labelledby="contents">
<p id="contents">On this page</p>
<ol>${headings.map(
    ({ id, text, depth }) => html`<li${depth > 2 && html` class="deeper"`}><a href="#${id}">${text}</a></li>`,
  )}</ol>
</nav>`
}

/**
 * Holds the reader's email for the script, which then shows whose key the examples use. The element is always rendered,
 * so that the layout does not shift when the script fills it.
 */
function keyBar({ visitor }: Site, { path }: DocsEntry): Html {
  return html`<p class="docs-key" data-docs-key="${visitor?.email ?? ''}" aria-live="polite">${
    visitor === undefined &&
    html`<a href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a> to fill in your own key.`
  }</p>`
}

function ending(entry: DocsEntry): Html {
  const at = docsEntries.indexOf(entry)
  const [before, after] = [docsEntries[at - 1], docsEntries[at + 1]]
  return html`<footer class="docs-end">
<nav aria-label="Previous and next page">
${before && html`<a rel="prev" href="${before.path}"><span>Previous</span> ${before.name}</a>`}
${after && html`<a rel="next" href="${after.path}"><span>Next</span> ${after.name}</a>`}
</nav>
<p class="note"><a href="${markdownPathOf(entry)}">View as Markdown</a></p>
</footer>`
}
