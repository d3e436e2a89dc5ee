// Gives out the ids of watches and brands that a run will create. In SQLite they are only counted up from the last one: the
// catalogue lock keeps others from creating any, and a run that is not published leaves no gap.
import type { Database, Tables } from '../../storage/database.ts'
import { raiseIdentity, readIdentities, reserveIds } from '../../storage/tables.ts'

export class NewIds {
  readonly #database: Database
  readonly #table: keyof Tables & ('watches' | 'brands')
  /** A dry run must not use up ids. */
  readonly #isCounted: boolean
  #last: number | undefined

  constructor(database: Database, table: 'watches' | 'brands', isDryRun: boolean) {
    this.#database = database
    this.#table = table
    this.#isCounted = isDryRun || database.engine === 'sqlite'
  }

  async take(count: number): Promise<readonly number[]> {
    if (count === 0) return []
    const { reader } = this.#database
    if (!this.#isCounted) return reserveIds(this.#database, reader, this.#table, count)
    const last = await this.#readLast()
    this.#last = last + count
    return Array.from({ length: count }, (_, at) => last + 1 + at)
  }

  /** Makes sure that no id up to `id`, which a file gives, will be given out. */
  async raise(id: number): Promise<void> {
    if (this.#isCounted) this.#last = Math.max(await this.#readLast(), id)
    else await this.#database.write((tx) => raiseIdentity(this.#database, tx, this.#table, id))
  }

  async #readLast(): Promise<number> {
    this.#last ??= (await readIdentities(this.#database, this.#database.reader))[this.#table] ?? 0
    return this.#last
  }
}
