// In charge of answering catalogue reads from memory: every watch as the bytes the API sends, in order of id.
// Built from the database, kept current from the change log; the only reader behind GET /watches.
import { readWatches, readWatchesAfter, watchJson } from '../catalogue/watches.ts'
import { type Change, getHead, type Head } from '../changes/log.ts'
import type { Reader } from '../storage/database.ts'
import type { Paging } from './paging.ts'

export interface Page {
  readonly total: number
  readonly body: Buffer
}

const loadMax = 2_000

export class WatchIndex {
  #ids: number[] = []
  readonly #rows = new Map<number, Buffer>()
  #bytes = 0
  #head: Head
  #lastChangeAt: string | undefined

  private constructor(head: Head) {
    this.#head = head
  }

  /** Reads every watch. Changes that land meanwhile come again from the log and are applied anew. */
  static async load(reader: Reader): Promise<WatchIndex> {
    const index = new WatchIndex(await getHead(reader))
    for (let after = 0; ; ) {
      const rows = await readWatchesAfter(reader, after, loadMax)
      for (const row of rows) index.#put(row.id, Buffer.from(watchJson(row)))
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
    index.#ids = [...index.#rows.keys()]
    const last = await reader
      .selectFrom('changes')
      .select('at')
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
    index.#lastChangeAt = last?.at
    return index
  }

  get size(): number {
    return this.#rows.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get head(): Head {
    return this.#head
  }

  get lastChangeAt(): string | undefined {
    return this.#lastChangeAt
  }

  /** Brings the changed watches up to date, all of the batch at once. */
  async apply(reader: Reader, batch: readonly Change[]): Promise<void> {
    const changed = new Set(
      batch.filter(({ type }) => type.startsWith('watch.')).map(({ subjectId }) => subjectId),
    )
    const rows = changed.size === 0 ? [] : await readWatches(reader, [...changed])
    const present = new Map(rows.map((row) => [row.id, Buffer.from(watchJson(row))]))
    const haveMembersChanged = [...changed].some((id) => this.#rows.has(id) !== present.has(id))
    for (const id of changed) this.#put(id, present.get(id))
    if (haveMembersChanged) this.#ids = [...this.#rows.keys()].sort((one, other) => one - other)
    const last = batch.at(-1)
    if (last === undefined) return
    this.#head = { ...this.#head, sequence: last.sequence }
    this.#lastChangeAt = last.at
  }

  page({ page, perPage }: Paging): Page {
    const start = (page - 1) * perPage
    const rows = this.#ids.slice(start, start + perPage).map((id) => this.#rows.get(id) as Buffer)
    const total = this.#ids.length
    const meta = JSON.stringify({ current_page: page, per_page: perPage, total })
    const parts = rows.flatMap((row, position) => (position === 0 ? [row] : [comma, row]))
    return { total, body: Buffer.concat([open, ...parts, Buffer.from(`],"meta":${meta}}`)]) }
  }

  #put(id: number, row: Buffer | undefined): void {
    this.#bytes += (row?.length ?? 0) - (this.#rows.get(id)?.length ?? 0)
    if (row === undefined) this.#rows.delete(id)
    else this.#rows.set(id, row)
  }
}

const open = Buffer.from('{"data":[')
const comma = Buffer.from(',')
