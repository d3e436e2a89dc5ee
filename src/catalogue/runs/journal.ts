// Reads the journal of a run: what it changed, and what was there before.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Reader, Tables, Tx } from '../../storage/database.ts'

export type JournalWatch = Readonly<Omit<Selectable<Tables['run_watches']>, 'run_id' | 'step'>>
/** A line of the price history that the run changed, and as it is now. */
export interface JournalPrice extends Readonly<Selectable<Tables['run_prices']>> {
  readonly now_retail: number | null
  readonly now_market: number | null
  /** Null if there is no line now. */
  readonly now_source: string | null
  /** Null if the watch does not exist now. */
  readonly has_watch: number | null
}

type JournalBrand = Readonly<Selectable<Tables['run_brands']>>

const pageRows = 1_000
const tables = ['run_watches', 'run_brands', 'run_prices'] as const

export class Journal {
  readonly #reader: Reader
  readonly #runId: number

  constructor(reader: Reader, runId: number) {
    this.#reader = reader
    this.#runId = runId
  }

  /** The number of the last transaction that changed something; 0 if the journal is empty. */
  async lastStep(): Promise<number> {
    const rows = await Promise.all(
      tables.map((table) =>
        this.#reader
          .selectFrom(table)
          .select(({ fn }) => fn.max('step').as('step'))
          .where('run_id', '=', this.#runId)
          .executeTakeFirst(),
      ),
    )
    return Math.max(...rows.map((row) => Number(row?.step ?? 0)))
  }

  async countWatches(): Promise<number> {
    const { count } = await this.#reader
      .selectFrom('run_watches')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('run_id', '=', this.#runId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Those of the watches that the run created. */
  async findMade(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#reader
      .selectFrom('run_watches')
      .select('watch_id')
      .where('watch_id', 'in', ids)
      .where('run_id', '=', this.#runId)
      .where('before', 'is', null)
      .execute()
    return new Set(rows.map(({ watch_id }) => watch_id))
  }

  /** Deletes all entries, except those that the undo has staged as left, and those of these brands. */
  async keepLeft(tx: Tx, brands: readonly number[]): Promise<void> {
    const left = (day: RawBuilder<unknown>) =>
      sql`exists (select 1 from staged_left as l where l.step = j.step and l.watch_id = j.watch_id and l.date = ${day})`
    for (const [table, day] of [
      ['run_watches', sql`''`],
      ['run_prices', sql`j.date`],
    ] as const)
      await sql`delete from ${sql.table(table)} as j where j.run_id = ${this.#runId} and not ${left(day)}`.execute(
        tx,
      )
    const query = tx.deleteFrom('run_brands').where('run_id', '=', this.#runId)
    await (brands.length === 0 ? query : query.where('brand_id', 'not in', brands)).execute()
  }

  /**
   * Tells the journals of later runs the times and prices that watches have without this run, so that their undo neither
   * takes this one for an edit, nor brings back what this run had written. What is left of this run gets the new times too.
   */
  async tellLaterRuns(tx: Tx, hasRepeats: boolean): Promise<void> {
    await sql`update run_watches set after_at = (select updated_at from watches where id = watch_id)
      where run_id >= ${this.#runId}
        and (watch_id, after_at) in (select id, before_at from staged_watches where kind = 'u')`.execute(tx)
    // The text stands in `before` only once: within the specs, its quotation marks are escaped.
    const member = (time: string) => sql`'"updated_at":"' || ${sql.ref(`s.${time}`)} || '"'`
    await sql`update run_watches set before = replace(before, ${member('from_at')}, ${member('to_at')})
      from staged_times as s
      where run_id >= ${this.#runId} and run_watches.watch_id = s.watch_id and before is not null`.execute(tx)
    if (!hasRepeats) return
    for (const [field, kind] of Object.entries({
      retail_price_usd: 'retail',
      current_market_price: 'market',
    }))
      for (const column of [sql.ref(`before_${kind}`), sql.ref(`after_${kind}`)])
        await sql`update run_prices set ${column} = s.to_price from staged_repeats as s
          where run_id > ${this.#runId} and s.field = ${field} and run_prices.watch_id = s.watch_id
            and run_prices.date = s.date and run_prices.${column} = s.from_price`.execute(tx)
  }

  /** Yields pages in order of watches: those that the run deleted, or all others. */
  async *watches(step: number, isDeleted: boolean): AsyncGenerator<readonly JournalWatch[]> {
    for (let after = 0; ; ) {
      const page = await this.#reader
        .selectFrom('run_watches')
        .select(['watch_id', 'before', 'after', 'after_at'])
        .where('run_id', '=', this.#runId)
        .where('step', '=', step)
        .where('watch_id', '>', after)
        .where('after_at', isDeleted ? 'is' : 'is not', null)
        .orderBy('watch_id')
        .limit(pageRows)
        .execute()
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last.watch_id
    }
  }

  /** Yields pages in order of watches and days. */
  async *prices(step: number): AsyncGenerator<readonly JournalPrice[]> {
    let last: Pick<JournalPrice, 'watch_id' | 'date'> | undefined = { watch_id: 0, date: '' }
    while (last !== undefined) {
      const { watch_id, date }: Pick<JournalPrice, 'watch_id' | 'date'> = last
      const page: JournalPrice[] = await this.#reader
        .selectFrom('run_prices as line')
        .leftJoin('prices as now', (join) =>
          join.onRef('now.watch_id', '=', 'line.watch_id').onRef('now.date', '=', 'line.date'),
        )
        .leftJoin('watches', 'watches.id', 'line.watch_id')
        .selectAll('line')
        .select(['now.retail_price_usd as now_retail', 'now.current_market_price as now_market'])
        .select(['now.source as now_source', 'watches.id as has_watch'])
        .where('line.run_id', '=', this.#runId)
        .where('line.step', '=', step)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('line.watch_id', 'line.date'), '>', tuple(watch_id, date)),
        )
        .orderBy('line.watch_id')
        .orderBy('line.date')
        .limit(pageRows)
        .execute()
      if (page.length > 0) yield page
      last = page.at(-1)
    }
  }

  brands(step: number): Promise<JournalBrand[]> {
    return this.#reader
      .selectFrom('run_brands')
      .selectAll()
      .where('run_id', '=', this.#runId)
      .where('step', '=', step)
      .orderBy('brand_id')
      .execute()
  }
}
