// Finds what the price history says after the lines of a run. Whoever changes one price of a watch writes a line with both,
// so later lines may repeat a price that only the run has brought in: it goes with the run. But a file of prices that
// says the same price has said it itself: then the price stays.
import { type RawBuilder, sql } from 'kysely'
import type { Price } from '../prices.ts'
import type { Columns } from './restore-watch.ts'
import type { Repeat, StagedLine } from './staged-run.ts'
import type { Undoing } from './undoing.ts'

const fields = ['retail_price_usd', 'current_market_price'] as const
type Field = (typeof fields)[number]
/** After every day. */
const noDay = '~'

export interface LaterLine extends StagedLine {
  /** The day of the last line of the run with such a price; null if it has none. */
  readonly runDay: Readonly<Record<Field, string | null>>
  /** The last import of prices that has said the price after the run; null if none has. */
  readonly saidBy: Readonly<Record<Field, number | null>>
}

interface FoundLine extends Price {
  readonly watch_id: number
  readonly date: string
  readonly source: string
  readonly is_removed?: undefined
  readonly retail_day: string | null
  readonly market_day: string | null
  readonly retail_run: number | null
  readonly market_run: number | null
}

/** By watch. The lines are those from the day of the run's own lines on, as far as this undo has changed them. */
export async function findLaterLines(
  { reader, staged, runId }: Undoing,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly LaterLine[]>> {
  if (ids.length === 0) return new Map()
  const lastDay = (after: string) => sql`max(case when ${sql.ref(after)} is not null then date end)`
  // The sum keeps SQLite from reading the journal of the whole run, instead of that of these watches.
  const { rows } = await sql<FoundLine>`
    with own as (
      select watch_id, ${lastDay('after_retail')} as retail_day, ${lastDay('after_market')} as market_day
      from run_prices where run_id + 0 = ${runId} and watch_id in (${sql.join(ids)}) group by watch_id)
    select line.watch_id, line.date, retail_price_usd, current_market_price, source, retail_day, market_day,
      ${sayingRun(runId, 'retail', 'retail_price_usd')} as retail_run,
      ${sayingRun(runId, 'market', 'current_market_price')} as market_run
    from own join prices as line on line.watch_id = own.watch_id
    where line.date >= retail_day or line.date >= market_day`.execute(reader)
  const changed = staged.findLines(ids)
  const lines = rows.flatMap(({ watch_id: watchId, ...found }): LaterLine[] => {
    const { is_removed, ...line } = changed.get(`${watchId} ${found.date}`) ?? found
    if (is_removed === 1) return []
    const { retail_day, market_day, retail_run, market_run, date } = found
    const { retail_price_usd, current_market_price, source } = line
    const runDay = { retail_price_usd: retail_day, current_market_price: market_day }
    const saidBy = { retail_price_usd: retail_run, current_market_price: market_run }
    return [{ watchId, date, retail_price_usd, current_market_price, source, runDay, saidBy }]
  })
  return Map.groupBy(lines, ({ watchId }) => watchId)
}

/** The last import of prices after the run that has given the line this price, or only another source. */
function sayingRun(runId: number, kind: 'retail' | 'market', field: Field): RawBuilder<unknown> {
  const isNew = (one: string) =>
    sql`later.${sql.raw(`before_${one}`)} is distinct from later.${sql.raw(`after_${one}`)}`
  return sql`(
    select max(later.run_id) from run_prices as later join runs on runs.id = later.run_id
    where later.watch_id = line.watch_id and later.date = line.date and later.run_id > ${runId}
      and runs.kind = 'prices' and runs.undone_by is null and later.${sql.raw(`after_${kind}`)} = line.${sql.ref(field)}
      and (${isNew(kind)} or not (${isNew('retail')} or ${isNew('market')})))`
}

/** The prices that stay because a later import of prices has said them too, with its run. */
export function saidPrices(after: Columns, lines: readonly LaterLine[]): ReadonlyMap<Field, number> {
  const said = new Map<Field, number>()
  for (const field of fields)
    for (const { saidBy, runDay, date, [field]: price } of lines) {
      const run = saidBy[field]
      const isNewest = date >= (runDay[field] ?? noDay)
      if (run !== null && isNewest && price !== null && price === after[field]) said.set(field, Number(run))
    }
  return said
}

/** The later lines that repeat prices which the undo takes back, with the prices that it restores. */
export function repeatsOf(row: Price, next: Price, lines: readonly LaterLine[]): readonly Repeat[] {
  const changed = fields.filter((field) => row[field] !== null && row[field] !== next[field])
  return lines.flatMap(({ runDay, saidBy: _, ...line }) => {
    const repeated = changed.filter(
      (field) => line[field] === row[field] && line.date > (runDay[field] ?? noDay),
    )
    if (repeated.length === 0) return []
    return [{ line, next: { ...line, ...Object.fromEntries(repeated.map((field) => [field, next[field]])) } }]
  })
}
