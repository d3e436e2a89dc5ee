// Updates existing watches in batches: their rows, their price history, and the change log.
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Engine, Tx } from '../storage/database.ts'
import { writeRows } from '../storage/write-rows.ts'
import { today } from './days.ts'
import { findChanges, type WatchFields } from './field-changes.ts'
import { priceOf, pricesRows } from './prices.ts'
import { timeAfter } from './time-after.ts'
import { type WatchRow, watchColumns, watchesRows, watchValues } from './watches.ts'

export interface WatchUpdate {
  /** The row as read within the same transaction (`readWatchesForUpdate`). */
  readonly row: WatchRow
  readonly next: WatchFields
  /** Whether the history already has a line with the new price, on a day other than today. */
  readonly isInHistory?: boolean
}

interface UpdateParts {
  readonly tx: Tx
  readonly engine: Engine
  readonly clock: Clock
  readonly record: (change: NewChange) => void
  readonly brandName: (id: number) => string
  /** The source that the price history records. */
  readonly source: string
}

type Values = (string | number | null)[]

const updatedRows = {
  ...watchesRows,
  onConflict: `on conflict (id) do update set ${watchColumns
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join()}`,
}

/**
 * Writes the updates that change something, and returns how many did. In the log a new price is a change of its own, so
 * that callers that follow prices miss none; all other changes of a watch are one entry.
 */
export async function updateWatches(parts: UpdateParts, updates: readonly WatchUpdate[]): Promise<number> {
  const { tx, engine, clock, record, brandName, source } = parts
  const date = today(clock)
  const watches: Values[] = []
  const prices: Values[] = []
  for (const { row, next, isInHistory } of updates) {
    const changes = findChanges(row, next, brandName)
    if (changes === undefined) continue
    const updated_at = timeAfter(row.updated_at, clock)
    watches.push(watchValues({ ...next, id: row.id, updated_at }))
    if (Object.keys(changes.fields).length > 0) {
      record({ type: 'watch.updated', subjectId: row.id, data: { changes: changes.fields } })
    }
    if (!changes.hasNewPrice) continue
    const data = { old: priceOf(row), new: priceOf(next), updated_at }
    if (!isInHistory) prices.push([row.id, date, next.retail_price_usd, next.current_market_price, source])
    record({ type: 'watch.price_changed', subjectId: row.id, data })
  }
  await writeRows(tx, engine, updatedRows, watches)
  await writeRows(tx, engine, pricesRows, prices)
  return watches.length
}
