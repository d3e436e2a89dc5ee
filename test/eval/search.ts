// `npm run eval -- search`: how often the search finds what was meant, by judged queries over the sample catalogue, and
// how often MiniSearch does with the same data. Reports the part of the queries that nobody tunes on; `--tune` reports
// the other part, with every miss.
import { createHash } from 'node:crypto'
import MiniSearch from 'minisearch'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { foldWords } from '../../src/specs/fold.ts'
import { type JudgedQuery, readJudgedQueries, type SampleWatch } from './judged-queries.ts'
import { openSampleIndex } from './sample-index.ts'

type Search = (q: string) => readonly SampleWatch[]

interface Score {
  readonly queries: number
  readonly first: number
  readonly five: number
  readonly reciprocal: number
}

const shownMax = 10

export async function evaluateSearch(flags: readonly string[]): Promise<void> {
  const isTuning = flags.includes('--tune')
  const index = await openSampleIndex()
  const queries = (await readJudgedQueries()).filter(({ q }) => isHeldBack(q) !== isTuning)
  const own: Search = (q) => searchIndex(index, q)
  const peer = miniSearchOver(index)
  print(`${queries.length} queries, ${isTuning ? 'the part to tune on' : 'the part that is held back'}\n`)
  print(row('', ['hit@1', 'hit@5', 'MRR', 'MiniSearch: hit@1', 'hit@5', 'MRR']))
  const kinds = [...new Set(queries.map(({ kind }) => kind))]
  for (const kind of [...kinds, 'all']) {
    const some = queries.filter((query) => kind === 'all' || query.kind === kind)
    const scores = [score(own, some), score(peer, some)]
    print(row(`${kind} (${some.length})`, scores.flatMap(figures)))
  }
  if (isTuning) for (const query of queries) printMiss(own, query)
}

/** Half of the queries, by a hash: a query that is added does not move others. */
function isHeldBack(q: string): boolean {
  return ((createHash('sha256').update(q).digest()[0] as number) & 1) === 1
}

export function searchIndex(index: WatchIndex, q: string): readonly SampleWatch[] {
  const query = parseWatchQuery(`q=${encodeURIComponent(q)}&per_page=${shownMax}`, index.vocabulary)
  const { data } = JSON.parse(prepareList(index, query).find().body().toString())
  return data
}

/** The peer gets the same watches, with the aliases of brands, accents folded, typing mistakes and beginnings allowed. */
function miniSearchOver(index: WatchIndex): Search {
  const watches = new Map<number, SampleWatch>()
  const peer = new MiniSearch({
    fields: ['brand', 'aliases', 'collection', 'reference', 'specs'],
    tokenize: (text) => foldWords(text),
    processTerm: (term) => term,
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { brand: 2, collection: 2, reference: 3 } },
  })
  for (let ordinal = 0; ordinal < index.size; ordinal++) {
    const watch: SampleWatch = index.watchAt(ordinal)
    const aliases = JSON.parse(index.brands.find(index.columns.brandId(ordinal))?.aliases ?? '[]')
    watches.set(watch.id, watch)
    peer.add({
      id: watch.id,
      brand: watch.brand,
      aliases: aliases.join(' '),
      collection: watch.collection,
      reference: watch.reference_number,
      specs: Object.values(watch.specs).flat().join(' '),
    })
  }
  return (q) =>
    peer
      .search(q)
      .slice(0, shownMax)
      .map(({ id }) => watches.get(id) as SampleWatch)
}

function score(search: Search, queries: readonly JudgedQuery[]): Score {
  const ranks = queries.map(({ q, isRight }) => search(q).findIndex(isRight) + 1)
  return {
    queries: queries.length,
    first: ranks.filter((rank) => rank === 1).length,
    five: ranks.filter((rank) => rank >= 1 && rank <= 5).length,
    reciprocal: ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0),
  }
}

function figures({ queries, first, five, reciprocal }: Score): string[] {
  return [first, five, reciprocal].map((sum) => (sum / queries).toFixed(3))
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(22) + cells.map((cell) => cell.padStart(Math.max(8, cell.length + 2))).join('')
}

function printMiss(search: Search, { q, kind, isRight }: JudgedQuery): void {
  const found = search(q)
  const rank = found.findIndex(isRight) + 1
  if (rank === 1) return
  const shown = found
    .slice(0, 3)
    .map((watch) => `${watch.brand} ${watch.collection} ${watch.reference_number}`)
  print(`${rank === 0 ? '–' : rank}  ${kind}: ${q}  → ${shown.join(' | ') || 'nothing'}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
