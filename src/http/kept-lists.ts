// In charge of the lists that were asked for lately, by the very query that was written: which watches are on the
// page and what goes before and after them, but not their bytes. Kept for one version of the catalogue.
import type { Page } from '../search/list-watches.ts'
import { SeenBefore } from '../search/seen-before.ts'
import { TextTable } from '../search/text-table.ts'
import type { WatchIndex } from '../search/watch-index.ts'

export interface KeptList {
  /** Those of its head that are always the same. */
  readonly lines: string
  readonly page: Page
}

/** Objects, strings and places, besides the characters and numbers in them. */
const entryBytes = 400

export class KeptLists {
  readonly #bytesMax: number
  readonly #byQuery = new TextTable<KeptList>()
  readonly #queries: string[] = []
  readonly #seen = new SeenBefore()
  #bytes = 0
  #index: WatchIndex | undefined
  #sequence = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  find(index: WatchIndex, written: string): KeptList | undefined {
    if (this.#index !== index || this.#sequence !== index.head.sequence) this.#begin(index)
    return this.#byQuery.get(written)
  }

  /** Keeps what is asked for again. To be called after `find` for the same index. */
  keep(written: string, list: KeptList): void {
    if (!this.#seen.note(written)) return
    this.#byQuery.set(written, list)
    this.#queries.push(written)
    this.#bytes += bytesOf(written, list)
    while (this.#bytes > this.#bytesMax) this.#forgetOne()
  }

  /** Any one: of queries that come in turn, the longest unused would always be the next to be asked for. */
  #forgetOne(): void {
    const at = Math.floor(Math.random() * this.#queries.length)
    const query = this.#queries[at] as string
    const last = this.#queries.pop() as string
    if (at < this.#queries.length) this.#queries[at] = last
    const list = this.#byQuery.get(query) as KeptList
    this.#byQuery.delete(query)
    this.#bytes -= bytesOf(query, list)
  }

  #begin(index: WatchIndex): void {
    this.#index = index
    this.#sequence = index.head.sequence
    this.#byQuery.clear()
    this.#queries.length = 0
    this.#bytes = 0
  }
}

function bytesOf(written: string, { lines, page }: KeptList): number {
  return entryBytes + written.length + lines.length + page.rest.length + page.rows.places.byteLength
}
