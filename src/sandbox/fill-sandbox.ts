// Fills the database of test keys, in a worker thread. Everything in it is the same in every process and after every
// restart: times, the epoch, the ids of commits. So a cursor or an ETag that a program has stored stays valid.
import { parentPort, workerData } from 'node:worker_threads'
import { loadSample, readSample } from '../catalogue/sample.ts'
import { recordChanges } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import { migrate } from '../storage/migrate.ts'
import { openSqlite } from '../storage/sqlite.ts'

const filledAt = new Date('2026-01-01T00:00:00.000Z')
const clock: Clock = { now: () => filledAt, nowMs: () => filledAt.getTime() }
const epoch = '00000000-0000-4000-8000-000000000000'
const commitId = '000000000000'

const sample = await readSample()
const database = await openSqlite(workerData)
try {
  await migrate(database, clock)
  await recordChanges(database, clock, (tx, record) => loadSample(tx, clock, record, sample))
  await database.write(async (tx) => {
    await tx.updateTable('epoch').set({ id: epoch }).execute()
    await tx.updateTable('changes').set({ commit_id: commitId }).execute()
  })
} finally {
  await database.close()
}
parentPort?.postMessage('filled')
