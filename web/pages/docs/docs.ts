// In charge of what the pages of the docs share: the list of pages, the way through the one that is read, the pages
// before and after it. What they say comes from the papers in docs/.

import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'
import { type DocsEntry, docsEntries, docsGroups, markdownPathOf } from './docs-pages.ts'
import type { DocPage, Heading } from './markdown.ts'

/** What an example has where a key belongs. */
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
<summary>All pages, and what is on this one</summary>
<div>
${sideList(entry)}
${contents(headings)}
</div>
</details>
<article class="docs-text">
<h1>${title}</h1>
${body.text.includes(keyPlaceholder) && keyBar(site, entry)}
${body}
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

function contents(headings: readonly Heading[]): Html {
  return html`<nav aria-labelledby="contents">
<p id="contents">On this page</p>
<ol>${headings.map(
    ({ id, text, depth }) => html`<li${depth > 2 && html` class="deeper"`}><a href="#${id}">${text}</a></li>`,
  )}</ol>
</nav>`
}

/** Says who reads, and a script then whose key the examples have; its place is kept, so that nothing moves when it comes. */
function keyBar({ visitor }: Site, { path }: DocsEntry): Html {
  return html`<p class="docs-key" data-docs-key="${visitor?.email ?? ''}" aria-live="polite">${
    visitor === undefined &&
    html`<a href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a> to have your key filled in.`
  }</p>`
}

function ending(entry: DocsEntry): Html {
  const at = docsEntries.indexOf(entry)
  const [before, after] = [docsEntries[at - 1], docsEntries[at + 1]]
  return html`<footer class="docs-end">
<nav aria-label="Before and after">
${before && html`<a rel="prev" href="${before.path}"><span>Before</span> ${before.name}</a>`}
${after && html`<a rel="next" href="${after.path}"><span>Next</span> ${after.name}</a>`}
</nav>
<p class="note"><a href="${markdownPathOf(entry)}">This page as Markdown</a></p>
</footer>`
}
