// `npm run bench -- search`: measures how long searches as people type them take the processor over 1 M watches: texts
// with typing mistakes, texts as they are written, completions of what is being typed, and titles of offers. Each text is new to a service
// that has answered others. Measured in the process: half a millisecond is lost in the noise of a connection.
import { CacheBudget, megabyte } from '../src/cache-budget.ts'
import { parseConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { buildIndex } from '../src/search/index/build-index.ts'
import { WatchIndex } from '../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../src/search/query/parse-query.ts'
import { parseSuggestQuery } from '../src/search/query/suggest-query.ts'
import { resolveTitle } from '../src/search/resolve/resolve.ts'
import { selectIn } from '../src/search/results/find-matches.ts'
import { prepareList } from '../src/search/results/list-watches.ts'
import { suggest } from '../src/search/results/suggest.ts'
import { readVocabulary } from '../src/specs/read-vocabulary.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import { provideCatalogue } from './catalogues/kept-catalogues.ts'
import { integerBetween, pick, type Random, randomFrom } from './catalogues/random.ts'
import { atMost, type Figure, printReport, tellStep } from './measure/report.ts'
import { type Source, sourceOf } from './measure/requests.ts'
import { openRunDirectory } from './measure/run-directory.ts'

const count = 1_000_000
const textsMax = 1_500
const warmingTexts = 400
const rounds = 4
const cacheMegabytes = 64
const typedMin = 2
const mistypedMin = 5
const limits = { typosMs: 2, suggestMs: 1, resolveMs: 1 }

interface Times {
  readonly p50: number
  readonly p99: number
  /** How long the event loop was held at a time, at p99. */
  readonly held: number
  readonly slowest: string
}

export async function benchSearch(flags: readonly string[]): Promise<void> {
  const catalogue = await provideCatalogue(count, openRunDirectory(), flags.includes('--keep'))
  const source = await sourceOf(count)
  const open = await opener(catalogue.directory, draw(warmingTexts, unfinished(source, 54)))
  const typos = await measure(await open(), listOnce, draw(textsMax, mistyped(source, 51)))
  const written = await measure(await open(), listOnce, draw(textsMax, unfinished(source, 52)))
  const completions = await measure(await open(), suggestOnce, draw(textsMax, unfinished(source, 53)))
  const titles = await measure(await open(), resolveOnce, draw(textsMax, offered(source, 55)))
  const report = [
    figure('q with two typos', typos, limits.typosMs),
    figure('q as written, unfinished', written),
    figure('suggest', completions, limits.suggestMs),
    figure('a text of resolve', titles, limits.resolveMs),
  ]
  if (!printReport(report, [])) process.exitCode = 1
}

function figure(name: string, { p50, p99, held, slowest }: Times, maxMs?: number): Figure {
  const details = `in all p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, longest ${slowest}`
  return { name: `1m: ${name}: event loop held at p99`, ...atMost(held, maxMs, 'ms'), details }
}

/** Returns a function that makes indexes of the catalogue, which were asked for other texts before. */
async function opener(directory: string, others: readonly string[]): Promise<() => Promise<WatchIndex[]>> {
  const config = parseConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    const vocabulary = await readVocabulary(config)
    const startedMs = performance.now()
    const parts = await database.snapshot((view) => buildIndex(view, vocabulary))
    tellStep(`  index built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
    return async () => {
      const make = () => new WatchIndex(parts, vocabulary, new CacheBudget(cacheMegabytes * megabyte))
      const indexes = Array.from({ length: rounds }, make)
      for (const index of indexes) for (const text of others) await listOnce(index, text)
      return indexes
    }
  } finally {
    await database.close()
  }
}

/**
 * As the server answers: what may be slow, in turns with other requests, then the list and its bytes. Returns the longest
 * time that it held the event loop without a pause, besides those turns, which pause every 2 ms.
 */
async function listOnce(index: WatchIndex, text: string): Promise<number> {
  const startedMs = performance.now()
  const query = parseWatchQuery(`q=${encodeURIComponent(text)}`, index.vocabulary)
  const prepared = prepareList(index, query)
  const warming = prepared.warmUp('bench')
  const waitingMs = performance.now()
  await warming
  const goingOnMs = warming === undefined ? startedMs : performance.now()
  prepared.find().body()
  return Math.max(waitingMs - startedMs, performance.now() - goingOnMs)
}

/** Each text in several indexes, of which the fastest counts: a garbage collection strikes only one. */
async function measure(
  indexes: readonly WatchIndex[],
  run: (index: WatchIndex, text: string) => Promise<number> | undefined,
  all: readonly string[],
): Promise<Times> {
  const times = new Map<string, number>()
  const holds = new Map<string, number>()
  for (const index of indexes) {
    for (const text of all) {
      const startedMs = performance.now()
      const held = await run(index, text)
      const ms = performance.now() - startedMs
      times.set(text, Math.min(ms, times.get(text) ?? ms))
      holds.set(text, Math.min(held ?? ms, holds.get(text) ?? ms))
    }
  }
  const sorted = [...times].sort(([, one], [, other]) => one - other)
  const sortedHolds = [...holds.values()].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.[1] ?? Number.NaN
  const [text = '', slowestMs = Number.NaN] = sorted.at(-1) ?? []
  const held = sortedHolds[Math.floor(sortedHolds.length * 0.99)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), held, slowest: `${slowestMs.toFixed(1)} ms (${text})` }
}

function suggestOnce(index: WatchIndex, text: string): undefined {
  suggest(index, parseSuggestQuery(`q=${encodeURIComponent(text)}`))
}

function resolveOnce(index: WatchIndex, text: string): undefined {
  index.resultCache.freeSlots()
  resolveTitle(index, selectIn(index), { text })
}

/** Titles of offers, half of them without the reference. */
function offered(source: Source, seed: number): () => string {
  const random = randomFrom(seed)
  return () => {
    const { brand, collection, reference_number } = source.watchAt(integerBetween(random, 1, count))
    const reference = pick(random, [reference_number, ''])
    const year = integerBetween(random, 1990, 2025)
    const rest = pick(random, [
      'full set',
      'box & papers',
      'steel 40mm',
      'blue dial',
      'NEW',
      '$12,500',
      'unworn MINT',
    ])
    return `${pick(random, ['', '*MINT* '])}${brand} ${collection} ${reference} ${year} ${rest}`
  }
}

/** Words of a watch, two of them with a mistake. */
function mistyped(source: Source, seed: number): () => string {
  const random = randomFrom(seed)
  return () => {
    for (;;) {
      const { brand, collection, specs } = source.watchAt(integerBetween(random, 1, count))
      const value = pick(random, [
        '',
        pick(
          random,
          Object.values(specs).filter((v) => typeof v === 'string'),
        ),
      ])
      const words = `${brand} ${collection} ${value}`.trim().split(' ').slice(0, 4)
      const places = words.flatMap((word, at) => (word.length >= mistypedMin ? [at] : []))
      if (places.length < 2) continue
      const first = pick(random, places)
      const second = pick(
        random,
        places.filter((at) => at !== first),
      )
      return words
        .map((word, at) => (at === first || at === second ? withMistake(random, word) : word))
        .join(' ')
    }
  }
}

function withMistake(random: Random, word: string): string {
  const at = integerBetween(random, 1, word.length - 2)
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
  return pick(random, [
    `${before}${next}${after}`,
    `${before}${next}${letter}${after}`,
    `${before}e${letter}${next}${after}`,
    `${before}a${next}${after}`,
  ])
}

function nameOf(random: Random, source: Source): string {
  const { brand, collection, reference_number } = source.watchAt(integerBetween(random, 1, count))
  return pick(random, [brand, `${brand} ${collection}`, collection, reference_number])
}

/** Names of a watch up to the letter that was just typed. */
function unfinished(source: Source, seed: number): () => string {
  const random = randomFrom(seed)
  return () => {
    const words = nameOf(random, source)
    return words.slice(0, integerBetween(random, Math.min(typedMin, words.length), words.length)).trim()
  }
}

function draw(times: number, next: () => string): string[] {
  return [...new Set(Array.from({ length: times }, next))]
}
