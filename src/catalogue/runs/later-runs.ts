// Finds the runs that later changed what a run had written, as far as they are not undone themselves. They must be undone
// first: only then is what they found there again.
import { type RawBuilder, sql } from 'kysely'
import { Failure } from '../../errors.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { findRun } from './run-log.ts'

interface LaterRun {
  readonly id: number
  /** How many of the watches of the earlier run it changed. */
  readonly watches: number
  readonly brands: number
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

/** Newest first. */
export async function findLaterRuns(reader: Reader, id: number): Promise<readonly LaterRun[]> {
  const watches = await countsOf(
    reader,
    sql`select run_id, count(distinct watch_id) as count from (${sharedLines(id)}) as later group by run_id`,
  )
  const brands = await countsOf(
    reader,
    sql`select run_id, count(distinct brand_id) as count from (${sharedBrands(id)}) as later group by run_id`,
  )
  const ids = [...new Set([...watches.keys(), ...brands.keys()])].sort((one, other) => other - one)
  const runs = await Promise.all(ids.map((one) => findRun(reader, one)))
  return runs.flatMap((run) => {
    if (run === undefined || run.undone_by !== null) return []
    const { partlyUndoneBy, isLeftForLater } = run.details
    const isPart = partlyUndoneBy !== undefined && !isLeftForLater
    return [{ id: run.id, watches: watches.get(run.id) ?? 0, brands: brands.get(run.id) ?? 0, isPart }]
  })
}

/** Says which runs to undo first. */
export function laterRunsFailure(id: number, runs: readonly LaterRun[]): Failure {
  const numbers = runs.map((run) => run.id).reverse()
  const newest = numbers.pop()
  const only = numbers.length === 0 ? runs[0] : undefined
  const what =
    only === undefined
      ? `Runs ${numbers.join(', ')} and ${newest} changed what run ${id} wrote`
      : `Run ${newest} changed ${amountOf(only)} of run ${id}`
  const first = only === undefined ? 'them first, beginning with the newest' : `run ${newest} first`
  return new Failure(
    `${what} later: undo ${first} (\`watchdata imports undo ${newest}\`), or say --keep-later to undo the rest and leave those.`,
  )
}

function amountOf({ watches, brands }: LaterRun): string {
  const parts = [
    ...(watches === 0 ? [] : [`${watches.toLocaleString('en-US')} ${watches === 1 ? 'watch' : 'watches'}`]),
    ...(brands === 0 ? [] : [`${brands.toLocaleString('en-US')} ${brands === 1 ? 'brand' : 'brands'}`]),
  ]
  return parts.join(' and ')
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

async function countsOf(reader: Reader, query: RawBuilder<unknown>): Promise<Map<number, number>> {
  const { rows } = await query.execute(reader)
  return new Map(
    (rows as { run_id: number; count: number }[]).map(({ run_id, count }) => [Number(run_id), Number(count)]),
  )
}
