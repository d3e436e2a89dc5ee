// Caches recent responses of the catalogue by their URL, each for one version of the catalogue. A list is kept as the
// places of its watches, not as their bytes; a compressed body is kept as it is.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { CacheBudget, SharedCache } from '../../cache-budget.ts'
import { RepeatFilter } from '../../search/index/repeat-filter.ts'
import { TextTable } from '../../search/index/text-table.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Answer } from './answer.ts'
import type { Encoding } from './encoding.ts'

/** Maximum time per iteration of the event loop spent on preparing answers for the next index. */
const sliceMs = 1

/** The cached answers of one version of the catalogue. */
interface Table<Origin> {
  readonly index: WatchIndex
  readonly sequence: number
  readonly byUrl: Readonly<Record<Encoding, TextTable<Cached<Origin>>>>
  readonly entries: Cached<Origin>[]
  bytes: number
}

export interface Cached<Origin> {
  readonly url: string
  readonly answer: Answer
  /** What the caller wants to know again with the answer. */
  readonly origin: Origin
  readonly table: Table<Origin>
  /** When it was last found, in lookups of the cache. */
  usedAt: number
}

/** Of how many random entries `evict` takes the one that has not been used for the longest time. */
const candidates = 3

export class AnswerCache<Origin> implements SharedCache {
  readonly #budget: CacheBudget
  readonly #seen = new RepeatFilter()
  #lookups = 0
  #table: Table<Origin> | undefined
  /** Prepared for the next index, which is not in use yet. */
  #next: Table<Origin> | undefined

  constructor(budget: CacheBudget) {
    this.#budget = budget
    budget.share('answers', this)
  }

  get bytes(): number {
    return (this.#table?.bytes ?? 0) + (this.#next?.bytes ?? 0)
  }

  find(index: WatchIndex, url: string, encoding: Encoding): Cached<Origin> | undefined {
    const table = isOf(this.#table, index) ? this.#table : this.#begin(index)
    const entry = table.byUrl[encoding].get(url)
    this.#lookups++
    if (entry !== undefined) entry.usedAt = this.#lookups
    return entry
  }

  /**
   * Whether what was found is still cached, and of the current version of the catalogue. An answer that was evicted
   * meanwhile may be held by several requests, and is not kept any more.
   */
  isCurrent({ table, answer }: Cached<Origin>, index: WatchIndex): boolean {
    return table === this.#table && isOf(table, index) && answer.countedBytes > 0
  }

  /** Whether the answer belongs into the cache: it is there, or its URL was asked for before. Call it once a request. */
  wants(url: string, { countedBytes }: Answer): boolean {
    return countedBytes > 0 || this.#seen.note(url)
  }

  /**
   * Caches an answer that is wanted. Call it after `find` with the same index, and again when an answer that is cached
   * has grown: it may have been cached before it was made.
   */
  keep(url: string, answer: Answer, origin: Origin): void {
    const table = this.#table
    // The bytes of others would get into the cache.
    if (table === undefined || !answer.sent.isKept) return
    if (answer.countedBytes > 0) this.#count(table, url, answer)
    else this.#add(table, url, answer, origin)
  }

  /**
   * Makes the currently cached answers for the next index, where `make` returns one, a few per iteration of the event
   * loop, so that popular ones are cached already when that index replaces the current one.
   */
  async prepare(
    index: WatchIndex,
    make: (entry: Cached<Origin>) => Answer | undefined | Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const next = emptyTable<Origin>(index)
    this.#next = next
    let sliceStartMs = performance.now()
    for (const entry of this.#table?.entries.slice() ?? []) {
      const answer = await make(entry)
      if (answer !== undefined) this.#add(next, entry.url, answer, entry.origin)
      if (performance.now() - sliceStartMs < sliceMs) continue
      await setImmediate()
      if (signal.aborted) {
        this.#next = undefined
        return
      }
      sliceStartMs = performance.now()
    }
  }

  /**
   * Evicts a random entry, rather one that has not been used for long. With LRU, queries that repeat in a cycle would
   * always evict the one needed next.
   */
  evict(): void {
    const table = this.#table?.entries.length ? this.#table : this.#next
    if (table === undefined || table.entries.length === 0) return
    const { entries } = table
    const at = findStale(entries)
    const entry = entries[at] as Cached<Origin>
    const last = entries.pop() as Cached<Origin>
    if (at < entries.length) entries[at] = last
    table.byUrl[entry.answer.encoding].delete(entry.url)
    table.bytes -= entry.answer.countedBytes
    entry.answer.countedBytes = 0
    entry.answer.hasGrown = true
  }

  #begin(index: WatchIndex): Table<Origin> {
    const table = isOf(this.#next, index) ? this.#next : emptyTable<Origin>(index)
    this.#table = table
    this.#next = undefined
    return table
  }

  #add(table: Table<Origin>, url: string, answer: Answer, origin: Origin): void {
    // Another request may have cached its own answer during a wait.
    const byUrl = table.byUrl[answer.encoding]
    if (byUrl.get(url) !== undefined) return
    const entry = { url, answer, origin, table, usedAt: this.#lookups }
    byUrl.set(url, entry)
    table.entries.push(entry)
    this.#count(table, url, answer)
  }

  #count(table: Table<Origin>, url: string, answer: Answer): void {
    const bytes = answer.bytes + url.length
    table.bytes += bytes - answer.countedBytes
    answer.countedBytes = bytes
    answer.hasGrown = false
    this.#budget.settle()
  }
}

function findStale(entries: readonly Cached<unknown>[]): number {
  let stalest = -1
  let usedAt = Number.POSITIVE_INFINITY
  for (let candidate = 0; candidate < candidates; candidate++) {
    const at = Math.floor(Math.random() * entries.length)
    const entry = entries[at] as Cached<unknown>
    if (entry.usedAt >= usedAt) continue
    stalest = at
    usedAt = entry.usedAt
  }
  return stalest
}

function emptyTable<Origin>(index: WatchIndex): Table<Origin> {
  const byUrl = {
    identity: new TextTable<Cached<Origin>>(),
    gzip: new TextTable<Cached<Origin>>(),
    br: new TextTable<Cached<Origin>>(),
    zstd: new TextTable<Cached<Origin>>(),
  }
  return { index, sequence: index.head.sequence, byUrl, entries: [], bytes: 0 }
}

function isOf<Origin>(table: Table<Origin> | undefined, index: WatchIndex): table is Table<Origin> {
  return table?.index === index && table.sequence === index.head.sequence
}
