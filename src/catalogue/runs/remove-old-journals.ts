// Deletes the journals of old runs, in batches, and the rejected rows that the log has of them: these runs stay in the
// log, but can no longer be undone.
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { batchRows, deleteBatches } from '../../storage/delete-batches.ts'
import type { RunDetails } from './run-log.ts'

const dayMs = 86_400_000
/** Runs read at a time: the log may have 1,000 rejected rows of each. */
const pageRuns = 20
const keys = {
  run_watches: ['run_id', 'step', 'watch_id'],
  run_brands: ['run_id', 'step', 'brand_id'],
  run_prices: ['run_id', 'step', 'watch_id', 'date'],
} as const

/** `daysKept` 0 keeps all. */
export async function removeOldJournals(
  database: Database,
  clock: Clock,
  daysKept: number,
  signal: AbortSignal,
): Promise<void> {
  if (daysKept === 0) return
  const { reader } = database
  const before = new Date(clock.nowMs() - daysKept * dayMs).toISOString()
  const last = await reader
    .selectFrom('runs')
    .select('id')
    .where('started_at', '<', before)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  // Committed first: an undo that has read a part of such a journal is refused.
  await database.write((tx) =>
    tx
      .updateTable('runs')
      .set({ has_journal: 0 })
      .where('id', '<=', last.id)
      .where('has_journal', '=', 1)
      .execute(),
  )
  await removeRejects(database, last.id, signal)
  for (const [table, columns] of Object.entries(keys)) {
    const key = sql.join(columns.map((column) => sql.ref(column)))
    const statement = sql`delete from ${sql.table(table)} where (${key}) in
      (select ${key} from ${sql.table(table)} where run_id <= ${last.id} limit ${sql.lit(batchRows)}) returning run_id`
    await deleteBatches(database, { compile: () => statement.compile(reader) }, signal)
  }
}

/** Feeds import a file several times a day: with the rejected rows of every run, the log would grow without bound. */
async function removeRejects(database: Database, lastId: number, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const runs = await database.reader
      .selectFrom('runs')
      .select(['id', 'details'])
      .where('id', '>', after)
      .where('id', '<=', lastId)
      .where('details', 'like', '%"rejects":[{%')
      .orderBy('id')
      .limit(pageRuns)
      .execute()
    for (const { id, details } of runs) {
      const { rejects: _, ...rest }: RunDetails = JSON.parse(details)
      // An undo that began before may still note its result: then the next time is early enough.
      await database.write((tx) =>
        tx
          .updateTable('runs')
          .set({ details: JSON.stringify(rest) })
          .where('id', '=', id)
          .where('details', '=', details)
          .execute(),
      )
    }
    const last = runs.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
