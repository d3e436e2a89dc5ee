// Finds what later runs changed of what a run had written, as far as they are not undone themselves. An undo leaves it:
// the undo of the later run must find what that run has left.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Reader } from '../../storage/database.ts'
import { type Columns, changedFields } from './restore-watch.ts'
import { findRun } from './run-log.ts'

interface LaterRun {
  readonly id: number
  /** Whether it is undone as far as possible: the rest was changed by something else than a run. */
  readonly isPart: boolean
}

/** What later runs changed of what a run had written. */
export class LaterChanges {
  readonly watches = new Set<number>()
  readonly brands = new Set<number>()
  /** Lines of the price history, as `watch day`. */
  readonly lines = new Set<string>()
  /** Brands of the watches that the undo of a later run creates again, or gives back their brand. */
  readonly neededBrands = new Set<number>()
}

/** Oldest first. */
export async function findLaterRuns(reader: Reader, id: number): Promise<readonly LaterRun[]> {
  const found = await sql<{ run_id: number }>`select run_id from (${sharedLines(id)}) as lines
    union select run_id from (${sharedBrands(id)}) as brands`.execute(reader)
  const ids = found.rows.map(({ run_id }) => Number(run_id)).sort((one, other) => one - other)
  const runs = await Promise.all(ids.map((one) => findRun(reader, one)))
  return runs.flatMap((run) => {
    if (run === undefined || run.undone_by !== null) return []
    const { partlyUndoneBy, isLeftForLater } = run.details
    return [{ id: run.id, isPart: partlyUndoneBy !== undefined && !isLeftForLater }]
  })
}

/** Watch id → the fields that these runs changed in these watches. */
export async function readLaterFields(
  reader: Reader,
  runs: readonly number[],
  watches: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const fields = new Map<number, Set<string>>()
  if (runs.length === 0 || watches.length === 0) return fields
  const rows = await reader
    .selectFrom('run_watches')
    .select(['watch_id', 'before', 'after'])
    .where('run_id', 'in', runs)
    .where('watch_id', 'in', watches)
    .where('before', 'is not', null)
    .where('after', 'is not', null)
    .execute()
  for (const { watch_id: id, before, after } of rows) {
    const [old, made] = [before, after].map((text): Columns => JSON.parse(text as string))
    const known = fields.get(id) ?? new Set()
    for (const field of changedFields(old as Columns, made as Columns)) known.add(field)
    fields.set(id, known)
  }
  return fields
}

export async function readLaterChanges(
  { reader, engine }: Pick<Database, 'reader' | 'engine'>,
  id: number,
  runs: readonly LaterRun[],
): Promise<LaterChanges> {
  const changes = new LaterChanges()
  if (runs.length > 0) {
    const idsOf = (isPart: boolean) =>
      sql.join([0, ...runs.filter((run) => run.isPart === isPart).map((run) => run.id)])
    const of = sql`run_id in (${idsOf(false)})`
    // Watches that are not there now, but will be again if the rest of the later run is undone.
    const ofLost = sql`run_id in (${idsOf(true)}) and is_lost = 1`
    const lines = sql<{
      watch_id: number
      date: string
    }>`select distinct watch_id, date from (${sharedLines(id)}) as later where ${of} or ${ofLost}`
    for (const { watch_id, date } of (await lines.execute(reader)).rows)
      if (date === '') changes.watches.add(Number(watch_id))
      else changes.lines.add(`${watch_id} ${date}`)
    const brands = sql<{
      brand_id: number
    }>`select distinct brand_id from (${sharedBrands(id)}) as later where ${of}`
    for (const { brand_id } of (await brands.execute(reader)).rows) changes.brands.add(Number(brand_id))
  }
  for (const brand of await readNeededBrands(reader, engine, id)) changes.neededBrands.add(brand)
  return changes
}

/** What runs after the run changed of its watches; the day is empty if it is more than a line of the price history. */
function sharedLines(id: number): RawBuilder<unknown> {
  return sql`select run_id, watch_id, '' as date, case when after_at is null then 1 else 0 end as is_lost from run_watches
      where run_id > ${id} and watch_id in (select watch_id from run_watches where run_id = ${id})
    union select run_id, watch_id, '', 0 from run_prices where run_id > ${id}
      and watch_id in (select watch_id from run_watches where run_id = ${id} and before is null)
    union select run_id, watch_id, date, case when after_source is null then 1 else 0 end from run_prices
      where run_id > ${id} and (watch_id, date) in (select watch_id, date from run_prices where run_id = ${id})`
}

function sharedBrands(id: number): RawBuilder<unknown> {
  return sql`select run_id, brand_id from run_brands
    where run_id > ${id} and brand_id in (select brand_id from run_brands where run_id = ${id})`
}

async function readNeededBrands(reader: Reader, engine: Database['engine'], id: number): Promise<number[]> {
  const brand = sql`${sql.raw(engine === 'sqlite' ? 'before' : 'before::json')} ->> 'brand_id'`
  const query = sql<{ brand: string | number | null }>`select distinct ${brand} as brand from run_watches
    where run_id > ${id} and before is not null
      and run_id in (select id from runs where undone_by is null)
      and exists (select 1 from run_brands where run_id = ${id} and before is null)`
  return (await query.execute(reader)).rows.flatMap(({ brand }) => (brand === null ? [] : [Number(brand)]))
}
