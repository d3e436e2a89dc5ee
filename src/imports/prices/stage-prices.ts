// Stages a batch of price histories: the lines that are added, changed and removed, and the new prices of watches.
import { sql } from 'kysely'
import type { PriceLine } from '../../catalogue/price-history.ts'
import { isSamePrice } from '../../catalogue/prices.ts'
import type { StagedRun, StagedWatch } from '../../catalogue/runs/staged-run.ts'
import type { Reader } from '../../storage/database.ts'
import { type MergedHistory, mergeExport, mergeHistory, type NewestDays } from './price-merge.ts'
import type { SaidHistory } from './price-statements.ts'

export interface StagedPrices {
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

/** Each watch may be in one batch only. */
export async function stagePrices(run: StagedRun, histories: readonly SaidHistory[]): Promise<StagedPrices> {
  const plans = await planHistories(run.database.reader, histories)
  const same = plans.reduce((sum, { sameCount }) => sum + sameCount, 0)
  const inAll = <T extends object>(lines: (plan: Plan) => readonly T[]) =>
    plans.flatMap((plan) => lines(plan).map((line) => ({ watchId: plan.watchId, ...line })))
  run.addLines(inAll(({ added, changed }) => [...added, ...changed]))
  run.removeLines(inAll(({ removed }) => removed.map((date) => ({ date }))))
  const news = plans.filter((plan) => isNew(plan) || plan.removed.length > 0)
  const updates = newPrices(news, await run.readWatches(news.map(({ watchId }) => watchId)))
  run.update(updates, staysTheSame)
  return { ...countLines(plans), same, repriced: updates.length }
}

function staysTheSame(): never {
  throw new Error('a price does not change the brand')
}

async function planHistories(reader: Reader, histories: readonly SaidHistory[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (let start = 0; start < histories.length; start += plannedWatches) {
    const group = histories.slice(start, start + plannedWatches)
    const lines = await readLines(reader, group)
    const newest = await readNewestDays(reader, group)
    for (const { watchId, days, isExport } of group) {
      const stored = lines.get(watchId) ?? []
      const merged = isExport
        ? mergeExport(stored, days)
        : mergeHistory(stored, days, newest.get(watchId) ?? {})
      plans.push({ ...merged, watchId })
    }
  }
  return plans
}

/**
 * By watch, the stored lines from the first to the last of the files' days; all lines for an export. No more is read,
 * because a catalogue may have years of daily prices, while a file adds only the next day.
 */
async function readLines(
  reader: Reader,
  histories: readonly SaidHistory[],
): Promise<ReadonlyMap<number, readonly PriceLine[]>> {
  const asked = histories.map(({ watchId, days, isExport }) => {
    const first = isExport ? firstDay : (days[0]?.date ?? '')
    const last = isExport ? lastDay : (days.at(-1)?.date ?? '')
    return sql`(cast(${watchId} as bigint), ${first}, ${last})`
  })
  const { rows } = await sql<StoredLine>`
    with asked (watch_id, first_day, last_day) as (values ${sql.join(asked)})
    select prices.watch_id, date, retail_price_usd, current_market_price, source
    from asked join prices on prices.watch_id = asked.watch_id and date between first_day and last_day
    order by prices.watch_id, date`.execute(reader)
  return Map.groupBy(rows, ({ watch_id }) => watch_id)
}

/** By watch, the newest stored days. A kind that the files do not have is not looked for. */
async function readNewestDays(
  reader: Reader,
  histories: readonly SaidHistory[],
): Promise<ReadonlyMap<number, NewestDays>> {
  const asked = histories.map(({ watchId, days }) => {
    const has = (kind: 'retail' | 'market') => (days.some((day) => typeof day[kind] === 'number') ? 'y' : 'n')
    return sql`(cast(${watchId} as bigint), ${has('retail')}, ${has('market')})`
  })
  const newestWith = (column: 'retail_price_usd' | 'current_market_price') => sql`(
    select date from prices where prices.watch_id = asked.watch_id and ${sql.ref(column)} is not null
    order by date desc limit 1)`
  const { rows } = await sql<{
    watch_id: number
    line: string | null
    retail: string | null
    market: string | null
  }>`
    with asked (watch_id, has_retail, has_market) as (values ${sql.join(asked)})
    select watch_id,
      (select max(date) from prices where prices.watch_id = asked.watch_id) as line,
      case when has_retail = 'y' then ${newestWith('retail_price_usd')} end as retail,
      case when has_market = 'y' then ${newestWith('current_market_price')} end as market
    from asked`.execute(reader)
  return new Map(
    rows.map(({ watch_id, line, retail, market }) => [
      watch_id,
      { line: line ?? undefined, retail: retail ?? undefined, market: market ?? undefined },
    ]),
  )
}

/** The watches whose prices change. */
function newPrices(plans: readonly Plan[], rows: readonly StagedWatch[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return plans.flatMap(({ watchId, priceAfter }) => {
    const row = byId.get(watchId)
    if (row === undefined) return []
    const next = { ...row, ...priceAfter(row) }
    return isSamePrice(row, next) ? [] : [{ row, next }]
  })
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
