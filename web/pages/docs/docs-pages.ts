// In charge of which pages the docs have, in which order, as one table: the side list, the list of all pages and
// /llms.txt read it.

export interface DocsEntry {
  /** In docs/. */
  readonly file: string
  readonly path: string
  readonly name: string
  /** One line of what is there. */
  readonly summary: string
  readonly group: 'Use the API' | 'Reference' | 'Run it yourself'
}

export const docsEntries: readonly DocsEntry[] = [
  entry('Use the API', 'getting-started', 'Getting started', 'A key, the first request, what a watch is.'),
  entry(
    'Use the API',
    'filters',
    'Filters and units',
    'Find watches by any spec, in any unit; sort, facets, explain, synonyms.',
  ),
  entry('Use the API', 'pagination', 'Pagination', 'Pages of a list, and how to follow them.'),
  entry(
    'Use the API',
    'quotas',
    'Quotas and plans',
    'What each plan has, how requests are counted, and how to ask at no cost.',
  ),
  entry('Use the API', 'errors', 'Errors', 'Every status and message, and when it comes.'),
  entry(
    'Use the API',
    'webhooks',
    'Webhooks',
    'Changes, posted to an address of yours; how to verify them in TypeScript, Python, Go and PHP.',
  ),
  entry(
    'Use the API',
    'changes',
    'Changes and copies',
    'Keep an exact copy of the catalogue: an export, then the change feed.',
  ),
  entry('Use the API', 'versioning', 'Versioning', 'What may change within v1, and how a new version comes.'),
  entry(
    'Reference',
    'reference',
    'API reference',
    'Every endpoint with its parameters, fields, statuses and real answers.',
  ),
  entry(
    'Run it yourself',
    'importing',
    'Importing',
    'Bring your own watches and prices, and take care of them.',
  ),
  entry('Run it yourself', 'settings', 'Settings', 'Every environment variable, with its default.'),
]

/** In the order of the table. */
export function docsGroups(): ReadonlyMap<DocsEntry['group'], readonly DocsEntry[]> {
  return Map.groupBy(docsEntries, ({ group }) => group)
}

/** `filters.md` → `/docs/filters`; undefined for a file that is no page. */
export function docsPathOf(file: string): string | undefined {
  return docsEntries.find((one) => one.file === file)?.path
}

export function markdownPathOf({ file }: DocsEntry): string {
  return `/docs/${file}`
}

/** The first is the way in. */
function entry(group: DocsEntry['group'], slug: string, name: string, summary: string): DocsEntry {
  const path = slug === 'getting-started' ? '/docs' : `/docs/${slug}`
  return { file: `${slug}.md`, path, name, summary, group }
}
