// The table of docs pages, in order. The sidebar, the list of all pages and /llms.txt are made from it.

export interface DocsEntry {
  /** The file name in docs/. */
  readonly file: string
  readonly path: string
  readonly name: string
  /** What the page covers, in one line. */
  readonly summary: string
  readonly group: 'Use the API' | 'Reference' | 'Run it yourself'
}

export const docsEntries: readonly DocsEntry[] = [
  entry('Use the API', 'getting-started', 'Getting started', 'Get a key, send a request, read a watch.'),
  entry(
    'Use the API',
    'filters',
    'Filters and units',
    'Find watches by any spec, in any unit; sort, facets, explain, synonyms.',
  ),
  entry(
    'Use the API',
    'search',
    'Search',
    'Find watches by words as people type them: typing mistakes, nicknames, sizes and prices in words.',
  ),
  entry(
    'Use the API',
    'resolving',
    'Resolving titles',
    'Find the watch that the title of an offer means, with a confidence you can rely on.',
  ),
  entry(
    'Use the API',
    'clients',
    'Clients',
    'The SDK for TypeScript, generated clients, and how any HTTP library writes a query.',
  ),
  entry('Use the API', 'pagination', 'Pagination', 'Pages of a list, and how to follow them.'),
  entry(
    'Use the API',
    'quotas',
    'Quotas and plans',
    'What each plan includes, how requests are counted, and which ones cost no quota.',
  ),
  entry('Use the API', 'errors', 'Errors', 'Every status and message, and when it occurs.'),
  entry(
    'Use the API',
    'webhooks',
    'Webhooks',
    'Receive changes at your own URL; verify them in TypeScript, Python, Go and PHP.',
  ),
  entry(
    'Use the API',
    'changes',
    'Changes and copies',
    'Keep an exact copy of the catalogue: an export, then the change feed.',
  ),
  entry(
    'Use the API',
    'versioning',
    'Versioning',
    'What may change within v1, and how new versions are introduced.',
  ),
  entry(
    'Reference',
    'reference',
    'API reference',
    'Every path with its parameters, fields, statuses and real responses.',
  ),
  entry('Reference', 'glossary', 'Glossary', 'Every term of the product, in one sentence each.'),
  entry(
    'Run it yourself',
    'importing',
    'Importing',
    'Import your own watches and prices, and keep them up to date.',
  ),
  entry(
    'Run it yourself',
    'scaling',
    'Many processes',
    'Several processes behind a load balancer, and what happens when a part fails.',
  ),
  entry('Run it yourself', 'commands', 'Commands', 'Every command of the service, with its options.'),
  entry('Run it yourself', 'settings', 'Settings', 'Every environment variable, with its default.'),
]

/** The entries by group, in the order of the table. */
export function docsGroups(): ReadonlyMap<DocsEntry['group'], readonly DocsEntry[]> {
  return Map.groupBy(docsEntries, ({ group }) => group)
}

/** `filters.md` → `/docs/filters`; undefined for a file that is not a docs page. */
export function docsPathOf(file: string): string | undefined {
  return docsEntries.find((one) => one.file === file)?.path
}

export function markdownPathOf({ file }: DocsEntry): string {
  return `/docs/${file}`
}

/** Getting started is the start page, `/docs`. */
function entry(group: DocsEntry['group'], slug: string, name: string, summary: string): DocsEntry {
  const path = slug === 'getting-started' ? '/docs' : `/docs/${slug}`
  return { file: `${slug}.md`, path, name, summary, group }
}
