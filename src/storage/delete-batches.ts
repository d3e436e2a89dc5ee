// Deletes many rows in batches, each a short transaction, so that no other writer waits long.
import { setImmediate } from 'node:timers/promises'
import type { Compilable } from 'kysely'
import type { Database } from './database.ts'

/** The rows that a statement may delete. */
export const batchRows = 1_000

/** Repeats a statement that deletes at most `batchRows` rows and returns them, until it finds fewer. */
export async function deleteBatches(
  database: Database,
  statement: Compilable,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [deleted = []] = await database.writeQuickly([statement], { isBackground: true })
    if (deleted.length < batchRows) return
    await setImmediate()
  }
}
