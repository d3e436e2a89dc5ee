// Builds the docs of this instance: every page as Markdown and as HTML, and the texts for programs.
import { docsPathOf } from '../../../../web/pages/docs/docs-pages.ts'
import { type DocPage, renderDocPage } from '../../../../web/pages/docs/markdown.ts'
import { slugOf } from '../../../../web/pages/docs/slug.ts'
import { tryIt } from '../../../../web/pages/docs/try-it.ts'
import type { Html } from '../../../../web/pages/layout/html.ts'
import { listParameters } from '../../../search/query/operators.ts'
import { serveDocPages } from './doc-pages.ts'
import type { DocsFacts } from './docs-tables.ts'
import { allForPrograms, listForPrograms, robotsText } from './list-for-programs.ts'
import { describeReference, type EndpointRow, type Reference } from './reference.ts'

/** The docs of an instance. Plain data: a worker thread builds them. */
export interface Docs {
  /** The Markdown texts by file name. */
  readonly texts: ReadonlyMap<string, string>
  /** By file name. */
  readonly pages: ReadonlyMap<string, DocPage>
  /** The texts for programs, by path. */
  readonly forPrograms: ReadonlyMap<string, string>
}

export async function makeDocs(facts: DocsFacts, baseUrl: string): Promise<Docs> {
  const reference = describeReference()
  const texts = await serveDocPages(reference, facts, baseUrl)
  const render = (file: string, text: string) =>
    renderDocPage(text, {
      linkTo: (href) => linkTo(href, baseUrl),
      ...(file === 'reference.md' && { additions: tryParts(reference) }),
    })
  const pages = new Map([...texts].map(([file, text]) => [file, render(file, text)]))
  const list = listForPrograms(baseUrl)
  const forPrograms = new Map([
    ['/llms.txt', list],
    ['/llms-full.txt', allForPrograms(list, texts)],
    ['/robots.txt', robotsText(baseUrl)],
  ])
  return { texts, pages, forPrograms }
}

/** Converts links between Markdown files to links between pages, and links to this instance to paths. */
function linkTo(href: string, baseUrl: string): string | undefined {
  if (href.startsWith('#')) return href
  if (href.startsWith(`${baseUrl}/`)) return href.slice(baseUrl.length)
  if (/^https:\/\//.test(href)) return href
  const [file = '', ...anchor] = href.split('#')
  const path = docsPathOf(file)
  return path === undefined ? undefined : [path, ...anchor].join('#')
}

function tryParts({ endpoints }: Reference): ReadonlyMap<string, Html> {
  const asked = endpoints.filter(({ method }) => method === 'GET')
  return new Map(asked.map((endpoint) => [slugOf(endpoint.summary), tryPart(endpoint)]))
}

function tryPart({ path, summary, query, parameters, examples }: EndpointRow): Html {
  const hasFilters = query === 'watches'
  const rows = hasFilters ? [...parameters, ...listParameters] : parameters
  return tryIt(summary, {
    path,
    request: examples[0]?.request ?? path,
    parameters: rows.map(({ name, example }) => ({ name, example })),
    hasFilters,
  })
}
