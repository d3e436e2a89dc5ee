// In charge of the lists that were asked for lately, by the very query that was written: which watches are on the
// page and what goes before and after them, but not their bytes. Kept for one version of the catalogue.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { RepeatFilter } from '../../search/index/repeat-filter.ts'
import { TextTable } from '../../search/index/text-table.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { Page } from '../../search/results/list-watches.ts'

export interface CachedList {
  /** Those of its head that are always the same. */
  readonly lines: string
  readonly page: Page
}

/** Objects, strings and places, besides the characters and numbers in them. */
const entryBytes = 400
/** Of a turn of the event loop, for lists of an index to come. */
const sliceMs = 1

/** Of one state of the catalogue. */
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
  /** For an index that nobody asks yet. */
  #next: Table | undefined

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#table?.bytes ?? 0
  }

  find(index: WatchIndex, written: string): CachedList | undefined {
    const table = isOf(this.#table, index) ? this.#table : this.#begin(index)
    return table.byQuery.get(written)
  }

  /** Keeps what is asked for again. To be called after `find` for the same index. */
  keep(written: string, list: CachedList): void {
    if (this.#table !== undefined && this.#seen.note(written)) this.#add(this.#table, written, list)
  }

  /**
   * Makes the lists that are kept now for another index, a few between two turns of the event loop: when it takes the
   * place of this one, nobody has to wait for what everybody asks for.
   */
  async prepare(
    index: WatchIndex,
    make: (written: string) => CachedList | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const next = emptyTable(index)
    let sliceStartMs = performance.now()
    for (const written of this.#table?.queries.slice() ?? []) {
      const list = make(written)
      if (list !== undefined) this.#add(next, written, list)
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

  #add(table: Table, written: string, list: CachedList): void {
    table.byQuery.set(written, list)
    table.queries.push(written)
    table.bytes += bytesOf(written, list)
    while (table.bytes > this.#bytesMax) forgetOne(table)
  }
}

function emptyTable(index: WatchIndex): Table {
  return { index, sequence: index.head.sequence, byQuery: new TextTable(), queries: [], bytes: 0 }
}

function isOf(table: Table | undefined, index: WatchIndex): table is Table {
  return table?.index === index && table.sequence === index.head.sequence
}

/** Any one: of queries that come in turn, the longest unused would always be the next to be asked for. */
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

function bytesOf(written: string, { lines, page }: CachedList): number {
  return entryBytes + written.length + lines.length + page.rest.length + page.rows.places.byteLength
}
