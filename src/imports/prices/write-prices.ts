// Writes a batch of price histories: history lines, the prices of watches and the change log in one transaction. If
// nothing changed, no transaction is begun.
import { sql } from 'kysely'
import { failWhenLockIsLost } from '../../catalogue/catalogue-lock.ts'
import type { PriceLine } from '../../catalogue/price-history.ts'
import { isSamePrice, pricesRows } from '../../catalogue/prices.ts'
import { updateWatches } from '../../catalogue/update-watches.ts'
import { readWatches, readWatchesForUpdate, type WatchRow } from '../../catalogue/watches.ts'
import { recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { writeRows } from '../../storage/write-rows.ts'
import { type MergedHistory, mergeExport, mergeHistory } from './price-merge.ts'
import type { SaidHistory } from './price-statements.ts'

export interface WritePricesParts {
  readonly database: Database
  readonly clock: Clock
  readonly source: string
  readonly isDryRun: boolean
  /** Aborted when the catalogue lock is lost. */
  readonly signal: AbortSignal
}

export interface WrittenPrices {
  readonly added: number
  readonly changed: number
  readonly same: number
  /** Watches with an added or changed line. */
  readonly watches: number
  /** Watches whose current price changed. */
  readonly repriced: number
}

interface StoredLine extends PriceLine {
  readonly watch_id: number
}

/** The planned changes of a watch's history. */
interface Plan extends MergedHistory {
  readonly watchId: number
}

/** Watches planned together: the stored lines of all of them are in memory at once. */
const plannedWatches = 100
const [firstDay, lastDay] = ['0000-01-01', '9999-12-31']

export async function writePrices(
  parts: WritePricesParts,
  histories: readonly SaidHistory[],
): Promise<WrittenPrices> {
  const { database } = parts
  // Planned outside the transaction, so that none is begun if nothing changed.
  const plans = await planHistories(database.reader, histories)
  const news = plans.filter((plan) => isNew(plan) || plan.removed.length > 0)
  const same = plans.reduce((sum, { sameCount }) => sum + sameCount, 0)
  if (news.length === 0 || parts.isDryRun) {
    return { ...countLines(news), same, repriced: await countRepriced(database.reader, news) }
  }
  failWhenLockIsLost(parts.signal)
  const ids = new Set(news.map(({ watchId }) => watchId))
  const wanted = histories.filter(({ watchId }) => ids.has(watchId))
  return { ...(await write(parts, wanted)), same }
}

async function write(
  { database, clock, source }: WritePricesParts,
  histories: readonly SaidHistory[],
): Promise<Omit<WrittenPrices, 'same'>> {
  return recordChanges(database, clock, async (tx, record) => {
    const ids = histories.map(({ watchId }) => watchId)
    const rows = await readWatchesForUpdate(tx, ids)
    if (rows.length !== histories.length) {
      throw new Failure('Another process deleted watches during the import: run it again.')
    }
    // Planned again inside the transaction, because another process may have changed a price meanwhile.
    const plans = await planHistories(tx, histories)
    const lines = plans.flatMap(({ watchId, added, changed }) =>
      [...added, ...changed].map((line) => lineValues(watchId, line)),
    )
    for (const { watchId, removed } of plans) {
      if (removed.length === 0) continue
      await tx.deleteFrom('prices').where('watch_id', '=', watchId).where('date', 'in', removed).execute()
    }
    await writeRows(tx, database.engine, pricesRows, lines)
    const updates = newPrices(plans, rows).map((update) => ({ ...update, isInHistory: true }))
    const { engine } = database
    const parts = { tx, engine, clock, record, brandName: staysTheSame, source }
    const repriced = await updateWatches(parts, updates)
    return { ...countLines(plans), repriced }
  })
}

function staysTheSame(): never {
  throw new Error('a price does not change the brand')
}

async function planHistories(reader: Reader, histories: readonly SaidHistory[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (let start = 0; start < histories.length; start += plannedWatches) {
    const group = histories.slice(start, start + plannedWatches)
    const windows = await readWindows(reader, group)
    for (const { watchId, days, isExport } of group) {
      const merge = isExport ? mergeExport : mergeHistory
      plans.push({ ...merge(windows.get(watchId) ?? [], days), watchId })
    }
  }
  return plans
}

/**
 * By watch, the stored lines from the one before the files' days to the one after them; all lines for an export. No
 * more is read, because a catalogue may have years of daily prices, while a file adds only the next day.
 */
async function readWindows(
  reader: Reader,
  histories: readonly SaidHistory[],
): Promise<ReadonlyMap<number, readonly PriceLine[]>> {
  const asked = histories.map(({ watchId, days, isExport }) => {
    const first = isExport ? firstDay : (days[0]?.date ?? '')
    const last = isExport ? lastDay : (days.at(-1)?.date ?? '')
    return sql`(cast(${watchId} as bigint), ${first}, ${last})`
  })
  const { rows } = await sql<StoredLine>`
    with asked (watch_id, first_day, last_day) as (values ${sql.join(asked)}),
    ranges as (
      select watch_id,
        coalesce((select max(date) from prices where prices.watch_id = asked.watch_id and date < first_day), first_day) as low,
        coalesce((select min(date) from prices where prices.watch_id = asked.watch_id and date > last_day), last_day) as high
      from asked
    )
    select prices.watch_id, date, retail_price_usd, current_market_price, source
    from ranges join prices on prices.watch_id = ranges.watch_id and date between low and high
    order by prices.watch_id, date`.execute(reader)
  return Map.groupBy(rows, ({ watch_id }) => watch_id)
}

/** The new prices of watches whose last history line has a new price. */
function newPrices(plans: readonly Plan[], rows: readonly WatchRow[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return plans.flatMap(({ watchId, last, isLastNew }) => {
    const row = byId.get(watchId)
    if (row === undefined || last === undefined || !isLastNew) return []
    const { retail_price_usd, current_market_price } = last
    return [{ row, next: { ...row, retail_price_usd, current_market_price } }]
  })
}

async function countRepriced(reader: Reader, plans: readonly Plan[]): Promise<number> {
  const ids = plans.filter(({ isLastNew }) => isLastNew).map(({ watchId }) => watchId)
  const rows = ids.length === 0 ? [] : await readWatches(reader, ids)
  return newPrices(plans, rows).filter(({ row, next }) => !isSamePrice(row, next)).length
}

function countLines(plans: readonly Plan[]) {
  const sum = (count: (plan: Plan) => number) => plans.reduce((total, plan) => total + count(plan), 0)
  return {
    added: sum(({ added }) => added.length),
    changed: sum(({ changed }) => changed.length),
    watches: plans.filter(isNew).length,
  }
}

function isNew({ added, changed }: Plan): boolean {
  return added.length + changed.length > 0
}

function lineValues(watchId: number, line: PriceLine): (string | number | null)[] {
  return [watchId, line.date, line.retail_price_usd, line.current_market_price, line.source]
}
