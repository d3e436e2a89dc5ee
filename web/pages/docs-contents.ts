// In charge of the way through the docs page: its sections in groups, and the endpoints folded by what they are about, so
// that the list is short enough to be looked over.

import type { DocsData, DocsEndpoint } from './docs-data.ts'
import { type Child, type Html, html } from './html.ts'

type Section = readonly [id: string, name: string, content: (data: DocsData) => Html]

export type SectionGroup = readonly [name: string, sections: readonly Section[]]

/** The section below which the endpoints stand. */
const endpointsId = 'endpoints'

export function contents(groups: readonly SectionGroup[], { reference }: DocsData): Html {
  return html`<nav class="contents" aria-labelledby="contents">
<h2 id="contents">On this page</h2>
${groups.map(
  ([name, sections]) => html`<h3>${name}</h3>
<ol>${sections.map(([id, title]) => html`<li>${link(id, title)}${id === endpointsId && endpointList(reference.endpoints)}</li>`)}</ol>
`,
)}</nav>`
}

/** One that is alone needs no fold. */
function endpointList(endpoints: readonly DocsEndpoint[]): Html {
  return html`<ol>${[...Map.groupBy(endpoints, subjectOf)].map(([subject, [first, ...rest]]) => {
    const links = [first, ...rest].map((one) => one && html`<li>${link(one.anchor, one.summary)}</li>`)
    return rest.length === 0
      ? links
      : html`<li><details><summary>${subject}</summary><ol>${links}</ol></details></li>`
  })}</ol>`
}

function link(id: string, name: Child): Html {
  return html`<a href="#${id}">${name}</a>`
}

/** `/watches/{id}/prices` → `Watches`. */
function subjectOf({ path }: DocsEndpoint): string {
  const [, first = ''] = path.split('/')
  return first.slice(0, 1).toUpperCase() + first.slice(1)
}
