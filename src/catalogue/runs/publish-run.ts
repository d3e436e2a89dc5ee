// Writes what a run has staged in one transaction: brands, watches, prices, the change log, and the journal that can undo
// it. Either all of it becomes visible, or nothing does.
import { type RawBuilder, sql } from 'kysely'
import { appendStaged, changesChannel } from '../../changes/log.ts'
import { Failure } from '../../errors.ts'
import type { Tx } from '../../storage/database.ts'
import type { BrandRow } from '../brands.ts'
import { watchColumns } from '../watches.ts'
import type { StagedRun } from './staged-run.ts'

/** Runs at the end of the transaction, with the brands that it deleted. */
export type FinishRun = (tx: Tx, deletedBrands: readonly number[]) => Promise<void>

export interface Publication {
  readonly runId: number
  /** Counts the publications of a run, from 1. */
  readonly step: number
  /** Whether the run can be undone: an undo cannot. */
  readonly isJournaled: boolean
  readonly finish: FinishRun | undefined
}

/** What was staged is forgotten afterwards. Returns the brands that were deleted. */
export async function publishRun(run: StagedRun, publication: Publication): Promise<readonly number[]> {
  const { database, clock, stage } = run
  const { runId, step, isJournaled, finish } = publication
  const deleted = await database.write(
    async (tx) => {
      await stage.bring(tx)
      const time = await publicationTime(run)
      await writeBrands(tx, run, time)
      if (isJournaled) await keepPrices(tx, run, runId, step)
      await writeWatches(tx, run, time)
      await writePrices(tx, run)
      if (isJournaled) await keepRest(tx, run, time, runId, step)
      const unused = await deleteUnused(tx, run)
      await finish?.(tx, unused)
      // A price never contains this text, so it can only be the time that was left open.
      const data = sql<string>`case type when 'watch.price_changed'
        then replace(data, '"updated_at":null', ${`"updated_at":"${time}"`}) else data end`
      await appendStaged(tx, clock, run.changeCount + unused.length, data)
      return unused
    },
    { announce: changesChannel },
  )
  run.clear()
  return deleted
}

/** One time for the whole run, later than that of every watch and brand that it changes. */
async function publicationTime({ clock, stage, brands }: StagedRun): Promise<string> {
  const [row] = stage.find(`select max(before_at) as latest from staged_watches where kind = 'u'`, [])
  const latest = [row?.latest ?? '', ...brands.map(({ before }) => before?.updated_at ?? '')].reduce(
    (one, other) => (String(one) > String(other) ? one : other),
  )
  const afterMs = latest === '' ? 0 : Date.parse(String(latest)) + 1
  return new Date(Math.max(clock.nowMs(), afterMs)).toISOString()
}

async function writeBrands(tx: Tx, { brands }: StagedRun, time: string): Promise<void> {
  for (const { before, after } of brands) {
    const { id, ...values } = { ...after, updated_at: after.updated_at || time }
    if (before === undefined)
      await tx
        .insertInto('brands')
        .values({ id, ...values })
        .execute()
        .catch(takenMeanwhile)
    else {
      const query = tx.updateTable('brands').set(values).where('id', '=', id)
      const { numUpdatedRows } = await query
        .where('updated_at', '=', before.updated_at)
        .executeTakeFirstOrThrow()
      expectAll(numUpdatedRows, 1)
    }
  }
}

async function writeWatches(tx: Tx, { counts }: StagedRun, time: string): Promise<void> {
  const updatedAt = sql`coalesce(s.updated_at, cast(${time} as text))`
  const columns = watchColumns.filter((column) => column !== 'id')
  const stagedValue = (column: string) => (column === 'updated_at' ? updatedAt : sql.ref(`s.${column}`))
  if (counts.u > 0) {
    const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${stagedValue(column)}`))
    await expectRows(
      tx,
      sql`update watches set ${set} from staged_watches as s
        where s.id = watches.id and s.kind = 'u' and watches.updated_at = s.before_at`,
      counts.u,
    )
  }
  if (counts.c > 0) {
    const into = sql.join(watchColumns.map((column) => sql.ref(column)))
    await sql`insert into watches (${into}) select ${sql.join(watchColumns.map(stagedValue))}
      from staged_watches as s where s.kind = 'c' order by s.id`
      .execute(tx)
      .catch(takenMeanwhile)
  }
  if (counts.d > 0) {
    // Faster than the foreign key, which would look for the prices of each watch by itself.
    await sql`delete from prices where watch_id in (select id from staged_watches where kind = 'd')`.execute(
      tx,
    )
    await expectRows(
      tx,
      sql`delete from watches
        where (id, updated_at) in (select id, before_at from staged_watches where kind = 'd')`,
      counts.d,
    )
  }
}

async function writePrices(tx: Tx, { counts, lineCount, removedLines }: StagedRun): Promise<void> {
  if (removedLines > 0) {
    await sql`delete from prices
      where (watch_id, date) in (select watch_id, date from staged_prices where is_removed = 1)`.execute(tx)
  }
  if (lineCount === 0) return
  const hasWatch =
    counts.d === 0
      ? sql``
      : sql`and not exists (select 1 from staged_watches as s where s.id = watch_id and s.kind = 'd')`
  await sql`insert into prices (watch_id, date, retail_price_usd, current_market_price, source)
    select watch_id, date, retail_price_usd, current_market_price, source
    from staged_prices where is_removed = 0 ${hasWatch} order by watch_id, date
    on conflict (watch_id, date) do update set retail_price_usd = excluded.retail_price_usd,
      current_market_price = excluded.current_market_price, source = excluded.source`.execute(tx)
}

/** Keeps the lines of the price history as they were. Those of new watches go with their watch. */
async function keepPrices(
  tx: Tx,
  { counts, lineCount, removedLines }: StagedRun,
  runId: number,
  step: number,
): Promise<void> {
  const columns = sql`run_id, step, watch_id, date, before_retail, before_market, before_source`
  const key = sql`cast(${runId} as bigint), cast(${step} as integer), p.watch_id, p.date`
  if (counts.d > 0) {
    await sql`insert into run_prices (${columns})
      select ${key}, p.retail_price_usd, p.current_market_price, p.source
      from prices as p join staged_watches as s on s.id = p.watch_id where s.kind = 'd'`.execute(tx)
  }
  if (lineCount + removedLines === 0) return
  const kept = (column: string) => sql`case p.is_removed when 0 then ${sql.ref(`p.${column}`)} end`
  await sql`insert into run_prices (${columns}, after_retail, after_market, after_source)
    select ${key}, b.retail_price_usd, b.current_market_price, b.source,
      ${kept('retail_price_usd')}, ${kept('current_market_price')}, ${kept('source')}
    from staged_prices as p left join prices as b on b.watch_id = p.watch_id and b.date = p.date
    where not exists (select 1 from staged_watches as s where s.id = p.watch_id and s.kind = 'c')`.execute(tx)
}

async function keepRest(
  tx: Tx,
  { brands, counts, lineCount }: StagedRun,
  time: string,
  runId: number,
  step: number,
): Promise<void> {
  await sql`insert into run_watches (run_id, step, watch_id, before, after, after_at)
    select cast(${runId} as bigint), cast(${step} as integer), id, before, after,
      case kind when 'd' then null else coalesce(updated_at, cast(${time} as text)) end
    from staged_watches order by id`.execute(tx)
  // A new watch has one line of the price history, unless several files of the run have given it prices of several days.
  if (counts.c > 0 && lineCount > 1)
    await sql`update run_watches set after = several.lines from
      (select watch_id, '{"lines":' || count(*) || '}' as lines from staged_prices
        where is_removed = 0 group by watch_id having count(*) > 1) as several
      where run_id = ${runId} and step = ${step} and run_watches.watch_id = several.watch_id and before is null`.execute(
      tx,
    )
  for (const { before, after } of brands) {
    const now: BrandRow = { ...after, updated_at: after.updated_at || time }
    await tx
      .insertInto('run_brands')
      .values({
        run_id: runId,
        step,
        brand_id: after.id,
        before: before === undefined ? null : JSON.stringify(before),
        after: JSON.stringify(now),
      })
      .execute()
  }
}

/** Deletes brands that no watch is of, and adds that to the staged changes. */
async function deleteUnused(tx: Tx, { unusedBrands, changeCount }: StagedRun): Promise<number[]> {
  if (unusedBrands.length === 0) return []
  const rows = await tx
    .deleteFrom('brands')
    .where('id', 'in', unusedBrands)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('watches').select('id').whereRef('watches.brand_id', '=', 'brands.id'))),
    )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other)
  for (const [at, id] of ids.entries())
    await sql`insert into staged_changes (place, type, subject_id)
      values (${changeCount + at + 1}, 'brand.deleted', ${id})`.execute(tx)
  return ids
}

async function expectRows(tx: Tx, statement: RawBuilder<unknown>, count: number): Promise<void> {
  expectAll((await statement.execute(tx)).numAffectedRows, count)
}

/** Every writer of the catalogue takes its lock, so this only happens if the lock was lost. */
function expectAll(written: bigint | undefined, count: number): void {
  if (Number(written) !== count) throw changedMeanwhile()
}

function takenMeanwhile(error: unknown): never {
  const { code, errcode } = error as { code?: string; errcode?: number }
  const isConflict = code === '23505' || (errcode !== undefined && (errcode & 0xff) === 19)
  throw isConflict ? changedMeanwhile() : error
}

export function changedMeanwhile(): Failure {
  return new Failure('Somebody else changed the catalogue meanwhile, so nothing was written: run it again.')
}
