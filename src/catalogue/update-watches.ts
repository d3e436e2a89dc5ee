// In charge of changing watches that are there: rows, price history and what the log tells of it, for many at once.
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Engine, Tx } from '../storage/database.ts'
import { writeRows } from '../storage/write-rows.ts'
import { findChanges, type WatchFields } from './field-changes.ts'
import { momentAfter } from './moment-after.ts'
import { pricesRows } from './prices.ts'
import { type WatchRow, watchesRows, watchValues } from './watches.ts'

export interface WatchUpdate {
  /** As it was read within the same transaction (`readWatchesForUpdate`). */
  readonly row: WatchRow
  readonly next: WatchFields
  /** Whether the history has the line of the new price already, as of another day than today. */
  readonly isInHistory?: boolean
}

interface UpdateParts {
  readonly tx: Tx
  readonly engine: Engine
  readonly clock: Clock
  readonly record: (change: NewChange) => void
  readonly brandName: (id: number) => string
  /** Who says so, for the history of prices. */
  readonly source: string
}

type Values = (string | number | null)[]

const updatedRows = {
  ...watchesRows,
  onConflict: `on conflict (id) do update set ${watchesRows.columns
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join()}`,
}

/**
 * Writes those that say something new and tells how many there were. A new price is a change of its own in the log, so
 * that who follows prices misses none; all else of a watch is one.
 */
export async function updateWatches(parts: UpdateParts, updates: readonly WatchUpdate[]): Promise<number> {
  const { tx, engine, clock, record, brandName, source } = parts
  const date = clock.now().toISOString().slice(0, 10)
  const watches: Values[] = []
  const prices: Values[] = []
  for (const { row, next, isInHistory } of updates) {
    const changes = findChanges(row, next, brandName)
    if (changes === undefined) continue
    watches.push(watchValues({ ...next, id: row.id, updated_at: momentAfter(row.updated_at, clock) }))
    if (Object.keys(changes.fields).length > 0) {
      record({ type: 'watch.updated', subjectId: row.id, data: { changes: changes.fields } })
    }
    if (!changes.hasNewPrice) continue
    const { retail_price_usd, current_market_price } = next
    if (!isInHistory) prices.push([row.id, date, retail_price_usd, current_market_price, source])
    const old = {
      retail_price_usd: row.retail_price_usd,
      current_market_price: row.current_market_price,
    }
    record({
      type: 'watch.price_changed',
      subjectId: row.id,
      data: { old, new: { retail_price_usd, current_market_price } },
    })
  }
  await writeRows(tx, engine, updatedRows, watches)
  await writeRows(tx, engine, pricesRows, prices)
  return watches.length
}
