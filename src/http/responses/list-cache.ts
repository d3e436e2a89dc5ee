// Caches recently requested lists by their raw query: which watches are on the page and what surrounds them, not the
// bytes of the watches. A cache is valid for one version of the catalogue.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { RepeatFilter } from '../../search/index/repeat-filter.ts'
import { TextTable } from '../../search/index/text-table.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Page } from '../../search/results/list-watches.ts'

export interface CachedList {
  /** The header lines that are the same for every caller. */
  readonly lines: string
  readonly page: Page
}

/** Bytes an entry costs besides its characters and numbers: objects, strings, map slots. */
const entryBytes = 400
/** Maximum time per iteration of the event loop spent on preparing lists for the next index. */
const sliceMs = 1

/** The cached lists of one version of the catalogue. */
interface Table {
  readonly index: WatchIndex
  readonly sequence: number
  readonly byQuery: TextTable<CachedList>
  readonly queries: string[]
  bytes: number
}

export class ListCache {
  readonly #bytesMax: number
  readonly #seen = new RepeatFilter()
  #table: Table | undefined
  /** Prepared for the next index, which is not in use yet. */
  #next: Table | undefined

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#table?.bytes ?? 0
  }

  find(index: WatchIndex, rawQuery: string): CachedList | undefined {
    const table = isOf(this.#table, index) ? this.#table : this.#begin(index)
    return table.byQuery.get(rawQuery)
  }

  /** Caches the list if its query was seen before. Call it after `find` with the same index. */
  keep(rawQuery: string, list: CachedList): void {
    if (this.#table !== undefined && this.#seen.note(rawQuery)) this.#add(this.#table, rawQuery, list)
  }

  /**
   * Makes the currently cached lists for the next index, a few per iteration of the event loop, so that popular lists
   * are cached already when that index replaces the current one.
   */
  async prepare(
    index: WatchIndex,
    make: (rawQuery: string) => CachedList | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const next = emptyTable(index)
    let sliceStartMs = performance.now()
    for (const rawQuery of this.#table?.queries.slice() ?? []) {
      const list = make(rawQuery)
      if (list !== undefined) this.#add(next, rawQuery, list)
      if (performance.now() - sliceStartMs < sliceMs) continue
      await setImmediate()
      if (signal.aborted) return
      sliceStartMs = performance.now()
    }
    this.#next = next
  }

  #begin(index: WatchIndex): Table {
    const table = isOf(this.#next, index) ? this.#next : emptyTable(index)
    this.#table = table
    this.#next = undefined
    return table
  }

  #add(table: Table, rawQuery: string, list: CachedList): void {
    table.byQuery.set(rawQuery, list)
    table.queries.push(rawQuery)
    table.bytes += bytesOf(rawQuery, list)
    while (table.bytes > this.#bytesMax) forgetOne(table)
  }
}

function emptyTable(index: WatchIndex): Table {
  return { index, sequence: index.head.sequence, byQuery: new TextTable(), queries: [], bytes: 0 }
}

function isOf(table: Table | undefined, index: WatchIndex): table is Table {
  return table?.index === index && table.sequence === index.head.sequence
}

/** Evicts a random entry: with LRU, queries that repeat in a cycle would always evict the one needed next. */
function forgetOne(table: Table): void {
  const { queries, byQuery } = table
  const at = Math.floor(Math.random() * queries.length)
  const query = queries[at] as string
  const last = queries.pop() as string
  if (at < queries.length) queries[at] = last
  const list = byQuery.get(query) as CachedList
  byQuery.delete(query)
  table.bytes -= bytesOf(query, list)
}

function bytesOf(rawQuery: string, { lines, page }: CachedList): number {
  return entryBytes + rawQuery.length + lines.length + page.rest.length + page.rows.places.byteLength
}
