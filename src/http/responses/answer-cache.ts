// Caches recent responses of the catalogue by their URL, each for one version of the catalogue. A list is kept as the
// places of its watches, not as their bytes; a compressed body is kept as it is.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { CacheBudget, SharedCache } from '../../cache-budget.ts'
import { RepeatFilter } from '../../search/index/repeat-filter.ts'
import { TextTable } from '../../search/index/text-table.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Answer } from './answer.ts'
import { type Segment, SegmentMemory } from './answer-segments.ts'
import type { Encoding } from './encoding.ts'

/** Maximum time per iteration of the event loop spent on preparing answers for the next index. */
const sliceMs = 1

/** The cached answers of one version of the catalogue. */
interface Table<Origin> {
  readonly index: WatchIndex
  readonly sequence: number
  readonly byUrl: Readonly<Record<Encoding, TextTable<Cached<Origin>>>>
  readonly segments: Segment<Cached<Origin>>[]
  /** Where the next answer is put, if there is room. */
  open: Segment<Cached<Origin>> | undefined
  /** The same for answers without bytes. */
  openEmpty: Segment<Cached<Origin>> | undefined
  count: number
  bytes: number
}

export interface Cached<Origin> {
  readonly url: string
  readonly answer: Answer
  /** What the caller wants to know again with the answer. */
  readonly origin: Origin
  readonly table: Table<Origin>
  /** Where its bytes are; undefined once it was evicted. */
  segment: Segment<Cached<Origin>> | undefined
  /** The bytes that are counted besides those in the segment. */
  otherBytes: number
  /** When it was last found, in lookups of the cache. */
  usedAt: number
}

/** Of how many random segments `evict` takes the one that has not been used for the longest time. */
const candidates = 3
/** At most this share of the answers of an evicted segment is kept, if they were used lately. */
const sparedShare = 1 / 2

export class AnswerCache<Origin> implements SharedCache {
  readonly #budget: CacheBudget
  readonly #memory: SegmentMemory
  readonly #seen = new RepeatFilter()
  #lookups = 0
  #table: Table<Origin> | undefined
  /** Prepared for the next index, which is not in use yet. */
  #next: Table<Origin> | undefined

  constructor(budget: CacheBudget) {
    this.#budget = budget
    this.#memory = new SegmentMemory(budget.maxBytes)
    budget.share('answers', this)
  }

  get bytes(): number {
    return (this.#table?.bytes ?? 0) + (this.#next?.bytes ?? 0) + this.#memory.freeBytes
  }

  find(index: WatchIndex, url: string, encoding: Encoding): Cached<Origin> | undefined {
    const table = isOf(this.#table, index) ? this.#table : this.#begin(index)
    const entry = table.byUrl[encoding].get(url)
    this.#lookups++
    if (entry?.segment === undefined) return undefined
    entry.usedAt = this.#lookups
    entry.segment.usedAt = this.#lookups
    return entry
  }

  /**
   * Whether what was found is still cached, and of the current version of the catalogue. The bytes of an answer that was
   * evicted meanwhile are those of another.
   */
  isCurrent({ table, answer }: Cached<Origin>, index: WatchIndex): boolean {
    return table === this.#table && isOf(table, index) && answer.isCached
  }

  /** Whether the answer belongs into the cache: it is there, or its URL was asked for before. Call it once a request. */
  wants(url: string, { isCached }: Answer): boolean {
    return isCached || this.#seen.note(url)
  }

  /**
   * Caches an answer that is wanted. Call it after `find` with the same index, and again when an answer that is cached
   * has changed: it may have been cached before it was made.
   */
  keep(url: string, answer: Answer, origin: Origin): void {
    if (this.#table !== undefined) this.#keep(this.#table, url, answer, origin)
  }

  /**
   * Completes the currently cached answers for the next index, where `make` returns one, a few per iteration of the
   * event loop, so that popular ones are cached already when that index replaces the current one.
   */
  async prepare(
    index: WatchIndex,
    make: (entry: Cached<Origin>) => Answer | undefined | Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const next = emptyTable<Origin>(index)
    this.#next = next
    let sliceStartMs = performance.now()
    for (const entry of this.#table?.segments.flatMap(entriesOf) ?? []) {
      const answer = await make(entry)
      // Nobody would find them any more.
      if (this.#next !== next) return
      if (answer !== undefined) this.#prepare(next, entry, answer)
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
   * Evicts a random segment, rather one that has not been used for long, and spares those of its answers that were used
   * lately. With LRU, queries that repeat in a cycle would always evict the one needed next.
   */
  evict(): void {
    if (this.#memory.freeBytes > 0) {
      this.#memory.release()
      return
    }
    const table = this.#table?.segments.length ? this.#table : this.#next
    if (table === undefined) return
    const bytesBefore = table.bytes
    // All answers of a segment without memory may be elsewhere by now: then nothing is gained.
    while (table.bytes >= bytesBefore) {
      const segment = takeStale(table.segments)
      if (segment === undefined) return
      this.#evict(table, segment)
    }
  }

  #evict(table: Table<Origin>, segment: Segment<Cached<Origin>>): void {
    if (segment === table.open) table.open = undefined
    if (segment === table.openEmpty) table.openEmpty = undefined
    table.bytes -= segment.memory.length
    const usedSince = this.#lookups - table.count
    const entries = entriesOf(segment)
    let spared = 0
    for (const entry of entries) {
      if (entry.usedAt > usedSince && spared + 1 <= entries.length * sparedShare) {
        spared++
        this.#place(table, entry)
      } else this.#drop(table, entry)
    }
    this.#memory.giveBack(segment)
    if (this.#memory.freeBytes > 0) this.#memory.release()
  }

  #prepare(next: Table<Origin>, { url, origin }: Cached<Origin>, answer: Answer): void {
    try {
      answer.complete(next.index)
    } catch {
      // The request meets the same error, and tells its caller.
      return
    }
    this.#keep(next, url, answer, origin)
  }

  #begin(index: WatchIndex): Table<Origin> {
    const table = isOf(this.#next, index) ? this.#next : emptyTable<Origin>(index)
    for (const segment of this.#table?.segments ?? []) this.#memory.giveBack(segment)
    this.#table = table
    this.#next = undefined
    return table
  }

  #keep(table: Table<Origin>, url: string, answer: Answer, origin: Origin): void {
    const byUrl = table.byUrl[answer.encoding]
    const known = byUrl.get(url)
    // Another request may have cached its own answer during a wait, or this one is of another table.
    if (known === undefined ? answer.isCached : known.answer !== answer) return
    const usedAt = this.#lookups
    const entry = known ?? { url, answer, origin, table, segment: undefined, otherBytes: 0, usedAt }
    if (known === undefined) {
      if (!byUrl.set(url, entry)) return
      table.count++
    }
    const otherBytes = answer.otherBytes + url.length
    table.bytes += otherBytes - entry.otherBytes
    entry.otherBytes = otherBytes
    this.#place(table, entry)
    this.#budget.settle()
  }

  /** Moves the bytes of the answer behind those of the last one. Where it was, they stay until the segment is evicted. */
  #place(table: Table<Origin>, entry: Cached<Origin>): void {
    const { answer } = entry
    const bytes = answer.storedBytes
    const segment = this.#segmentFor(table, bytes)
    answer.moveTo(segment.memory, segment.end)
    segment.end += bytes
    segment.usedAt = this.#lookups
    segment.entries.push(entry)
    entry.segment = segment
  }

  #segmentFor(table: Table<Origin>, bytes: number): Segment<Cached<Origin>> {
    const isLarge = this.#memory.isLarge(bytes)
    const open = isLarge ? undefined : bytes === 0 ? table.openEmpty : table.open
    if (open?.hasRoom(bytes)) return open
    const segment = this.#memory.take<Cached<Origin>>(bytes)
    table.segments.push(segment)
    table.bytes += segment.memory.length
    if (bytes === 0) table.openEmpty = segment
    else if (!isLarge) table.open = segment
    return segment
  }

  #drop(table: Table<Origin>, entry: Cached<Origin>): void {
    const { url, answer, otherBytes } = entry
    table.byUrl[answer.encoding].delete(url)
    table.bytes -= otherBytes
    table.count--
    entry.segment = undefined
    answer.drop()
  }
}

/** Removes one of the segments, and returns it. */
function takeStale<Entry>(segments: Segment<Entry>[]): Segment<Entry> | undefined {
  let stalest = -1
  let usedAt = Number.POSITIVE_INFINITY
  for (let candidate = 0; candidate < candidates; candidate++) {
    const at = Math.floor(Math.random() * segments.length)
    const segment = segments[at]
    if (segment === undefined || segment.usedAt >= usedAt) continue
    stalest = at
    usedAt = segment.usedAt
  }
  const last = segments.pop()
  if (last === undefined || stalest === segments.length) return last
  const taken = segments[stalest]
  segments[stalest] = last
  return taken
}

/** Those whose bytes have not moved to another segment since; each once, though it may have been placed here twice. */
function entriesOf<Origin>(segment: Segment<Cached<Origin>>): Cached<Origin>[] {
  return [...new Set(segment.entries)].filter((entry) => entry.segment === segment)
}

function emptyTable<Origin>(index: WatchIndex): Table<Origin> {
  const byUrl = {
    identity: new TextTable<Cached<Origin>>(),
    gzip: new TextTable<Cached<Origin>>(),
    br: new TextTable<Cached<Origin>>(),
    zstd: new TextTable<Cached<Origin>>(),
  }
  return {
    index,
    sequence: index.head.sequence,
    byUrl,
    segments: [],
    open: undefined,
    openEmpty: undefined,
    count: 0,
    bytes: 0,
  }
}

function isOf<Origin>(table: Table<Origin> | undefined, index: WatchIndex): table is Table<Origin> {
  return table?.index === index && table.sequence === index.head.sequence
}
