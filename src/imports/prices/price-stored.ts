// Reads the part of stored price histories that a merge depends on, and no more: a catalogue may have years of daily
// prices, while a file adds only the next day.
import { sql } from 'kysely'
import type { PriceLine } from '../../catalogue/price-history.ts'
import type { Reader } from '../../storage/database.ts'
import type { SaidHistory } from './price-statements.ts'

interface StoredRow extends PriceLine {
  readonly watch_id: number
}

const [firstDay, lastDay] = ['0000-01-01', '9999-12-31']

/** For each history, the lines from the one before the files' days to the one after them; all lines for an export. */
export async function readWindows(
  reader: Reader,
  histories: readonly SaidHistory[],
): Promise<readonly (readonly PriceLine[])[]> {
  const asked = histories.map(({ watchId, days, isExport }) => {
    const first = isExport ? firstDay : (days[0]?.date ?? '')
    const last = isExport ? lastDay : (days.at(-1)?.date ?? '')
    return sql`(cast(${watchId} as bigint), ${first}, ${last})`
  })
  const { rows } = await sql<StoredRow>`
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
  const windows = new Map<number, PriceLine[]>()
  for (const { watch_id, ...line } of rows) {
    const window = windows.get(watch_id)
    if (window === undefined) windows.set(watch_id, [line])
    else window.push(line)
  }
  return histories.map(({ watchId }) => windows.get(watchId) ?? [])
}
