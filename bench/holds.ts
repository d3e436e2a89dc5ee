// `npm run bench -- holds`: sends one request of every kind, the slowest of its kind, to a service whose code is warm and
// whose caches are empty, and measures how long each holds the event loop: the CPU time of its longest run without a
// pause. Each is asked in two services, and the shorter time counts: a garbage collection strikes only one of them.
import { setTimeout as delay } from 'node:timers/promises'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { drawMix } from './measure/draw-mix.ts'
import { moveToLoadCore } from './measure/processes.ts'
import { longestDelay, loopDelayFlags } from './measure/read-loop-delay.ts'
import { atMost, printReport, tellStep } from './measure/report.ts'
import { sourceOf } from './measure/requests.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { askAll, type Serving, startServing } from './measure/serving-process.ts'
import { curl } from './workloads/clients.ts'
import { listPath } from './workloads/workload.ts'

const count = 1_000_000
const holdMaxMs = 5
const warmingRequests = 3_000
/** For a timer that looks at the event loop every millisecond. */
const settleMs = 10
const tellMax = 12

interface Hold {
  readonly path: string
  readonly ms: number
}

export async function benchHolds(flags: readonly string[]): Promise<void> {
  const catalogue = await provideCatalogue(count, openRunDirectory(), flags.includes('--keep'))
  moveToLoadCore()
  const [first, second] = [await measure(catalogue, false), await measure(catalogue, true)]
  const holds = first.map(({ path, ms }) => ({
    path,
    ms: Math.min(ms, second.find((other) => other.path === path)?.ms ?? Number.NaN),
  }))
  const longest = holds.toSorted((one, other) => other.ms - one.ms)
  for (const { path, ms } of longest.slice(0, tellMax)) tellStep(`  ${ms.toFixed(1)} ms  ${path}`)
  const over = holds.filter(({ ms }) => ms > holdMaxMs).length
  const details = `${holds.length} requests, ${over} of them over ${holdMaxMs} ms`
  const longestMs = longest[0]?.ms ?? Number.NaN
  const figure = {
    name: '1m: event loop held by one request',
    ...atMost(longestMs, holdMaxMs, 'ms'),
    details,
  }
  if (!printReport([figure], [])) process.exitCode = 1
}

async function measure(catalogue: Catalogue, isReversed: boolean): Promise<Hold[]> {
  const serving = await startServing(catalogue.directory, { nodeFlags: loopDelayFlags })
  try {
    const source = await sourceOf(count)
    const mix = await drawMix(serving.url, catalogue, source, warmingRequests)
    const lines = mix.map(({ query }) => ({ path: `${listPath}?${query}` }))
    await askAll(serving.url, curl(catalogue.key), lines, () => {})
    const paths = everyKind(Object.keys(source.watchAt(1).specs))
    const holds: Hold[] = []
    for (const path of isReversed ? paths.toReversed() : paths)
      holds.push(await hold(serving, catalogue, path))
    return holds
  } finally {
    await serving.process.stop()
  }
}

async function hold({ url, process: server }: Serving, { key }: Catalogue, path: string): Promise<Hold> {
  await delay(settleMs)
  await report(server)
  const from = server.output.length
  const body = path === '/resolve' ? { method: 'POST', body: manyTitles() } : {}
  const headers = { ...curl(key), 'content-type': 'application/json' }
  await fetch(`${url}/api/v1${path}`, { ...body, headers }).then((answer) => answer.arrayBuffer())
  await delay(settleMs)
  await report(server)
  return { path, ms: longestDelay(server.output.slice(from), 'cpuMs').cpuMs }
}

/** Waits until the server has printed the longest delay so far. */
async function report(server: Serving['process']): Promise<void> {
  const from = server.output.length
  server.signal('SIGUSR2')
  while (!server.output.slice(from).includes('\n')) await delay(1)
}

/** As many titles as one request may have, each another one. */
function manyTitles(): string {
  const titles = Array.from(
    { length: 100 },
    (_, at) => `*MINT* Rolex Submariner Date ${116_600 + at}LN full set ${1990 + (at % 30)}`,
  )
  return JSON.stringify({ texts: titles })
}

/** As dear as one request can be: all filters that are allowed, with everything that is counted besides. */
function dearest(keys: readonly string[], manyFacets: string): string[] {
  const all = `facets=${manyFacets}&explain=1&sort=-updated_at`
  const twice = (one: (key: string) => string[]) => keys.slice(0, 10).flatMap(one).join('&')
  return [
    `${twice((key) => [`spec[${key}][gte]=0.5`, `spec[${key}][lt]=98765.5`])}&${all}`,
    `${twice((key) => [`spec[${key}][gt]=1.25`, `spec[${key}][gt]=1.5`])}&${all}`,
    `${twice((key) => [`spec[${key}][not]=x`, `spec[${key}][exists]=true`])}&${all}`,
    `${twice((key) => [`spec[${key}x]=1`, `spec[x${key}]=1`])}&facets=a1,b2,c3,d4`,
    `q=${encodeURIComponent('a b c d e f g h i 1 2 3')}&${all}&current_market_price[gte]=3.5`,
    `fields=${keys.map((key) => `specs.${key}`).join(',')}&per_page=100&page=999&${all}`,
    `fields=${keys.map((key) => `specs.${key}`).join(',')}&per_page=100&page=9000&sort=-brand&facets=${manyFacets}`,
  ]
}

/** Paths under /api/v1. `keys` are spec keys. */
function everyKind(keys: readonly string[]): string[] {
  const fields = ['current_market_price', 'retail_price_usd']
  const everyBound = fields.flatMap((field) => [
    `${field}[gte]=1000.5`,
    `${field}[gt]=1001`,
    `${field}[lt]=9000`,
  ])
  const sorts = ['brand', 'updated_at', ...fields].flatMap((field) => [field, `-${field}`])
  const words = ['a', 'e', 'r', 's', '0', '1', '2', 'ro', 'st', 'automatic', 'steel blue', 'a b c', 'zzz']
  const mistyped = [
    ...[
      'rolx submarner',
      'omgea speedmastr profesional',
      'seko diver 300m under 5000',
      'huguenin prestge 3.5',
    ],
    ...['dres watch gold 38mm hand wound', 'blak dial stanless automtic', 'grand seko snowflak titanum 2'],
    // What no watch has, as often as it fits.
    ...['12,'.repeat(80), '1/'.repeat(120), 'box '.repeat(60), '40mm 41mm 42mm under 5000 '.repeat(9)],
  ]
  const manyFacets = ['brand', 'collection', ...keys].slice(0, 14).join(',')
  const lists = [
    '',
    ...sorts.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&page=5000&per_page=100`, `sort=${sort}&q=s`]),
    ...sorts.map((sort) => `sort=${sort}&current_market_price[gte]=1234.5&page=50`),
    ...fields.flatMap((field) => [`${field}[gte]=4321.5`, `${field}[lte]=4321.5&page=30`]),
    everyBound.join('&'),
    `${everyBound.join('&')}&facets=${manyFacets}&explain=1&sort=-brand`,
    ...words.map((word) => `q=${encodeURIComponent(word)}`),
    ...mistyped.map((text) => `q=${encodeURIComponent(text)}`),
    ...words.map((word) => `q=${encodeURIComponent(word)}&sort=-current_market_price&facets=brand`),
    ...['brand', 'collection', ...keys].map((facet) => `facets=${facet}`),
    ...['brand', 'collection', ...keys].map((facet) => `facets=${facet}&current_market_price[gte]=777.5`),
    `facets=${manyFacets}`,
    `facets=${manyFacets}&q=e`,
    ...keys.flatMap((key) => [
      `spec[${key}][exists]=false`,
      `spec[${key}][not]=5`,
      `spec[${key}][gte]=5`,
      `spec[${key}][lt]=77&sort=-retail_price_usd`,
      `spec[${key}]=5&explain=1`,
    ]),
    'spec[dail_color]=blue',
    'facets=dail_color',
    `ids=${Array.from({ length: 100 }, (_, at) => at * 9_999 + 1).join(',')}`,
    'fields=id,specs&per_page=100&page=9999',
    'per_page=100&page=9999',
    'page=66666',
    ...dearest(keys, manyFacets),
  ].map((query) => `/watches?${query}`)
  const others = keys.flatMap((key) => [`/specs/${key}?per_page=100`, `/specs/${key}?per_page=100&page=3`])
  return [
    ...lists,
    ...['/specs', ...others],
    ...['/brands', '/brands?per_page=100&page=2', '/brands?q=e&sort=-watches_count', '/brands/1'],
    ...['/brands/1/watches', `/brands/1/watches?sort=-current_market_price&facets=${manyFacets}`],
    ...['/watches/1', '/watches/999999', '/watches/77/prices', '/watches/0', '/nowhere'],
    ...['s', '1', 'ro', 'rolex sub', 'submarnr', 'xqzwvy'].map(
      (text) => `/suggest?q=${encodeURIComponent(text)}`,
    ),
    '/resolve',
    ...['/changes', '/usage', '/webhooks', '/watches?sort=wrong&page=0&spec[]=1'],
  ]
}
