// Runs small writes to the SQLite file in a worker thread. While another process syncs the file, writes and checkpoints
// block the calling thread in the kernel; in this thread they delay no response.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../thread-priority.ts'
import type { SmallWrite, SmallWriteResult } from './small-writes.ts'

/** Another process may hold the lock for a while. */
const busyTimeoutMs = 2_000
const statementsMax = 100
const cacheKib = 1_024
/** Low: on a busy machine, these writes would otherwise delay responses, of which few wait for a write. */
const niceness = 5

lowerPriority(niceness)

const raw = new DatabaseSync(workerData as string, {
  timeout: busyTimeoutMs,
  enableForeignKeyConstraints: true,
})
// A committed write survives the end of the process; only a power cut may undo the most recent ones.
raw.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${cacheKib}`)
const statements = new Map<string, StatementSync>()

parentPort?.on('message', ({ id, queries }: SmallWrite) => parentPort?.postMessage(answer(id, queries)))

function answer(id: number, queries: SmallWrite['queries']): SmallWriteResult {
  try {
    raw.exec('begin immediate')
    const rows = queries.map(({ sql, parameters }) => prepare(sql).all(...(parameters as SQLInputValue[])))
    raw.exec('commit')
    return { id, rows }
  } catch (error) {
    if (raw.isTransaction) raw.exec('rollback')
    const { message, errcode } = error as Error & { errcode?: number }
    return { id, error: { message, errcode } }
  }
}

function prepare(sql: string): StatementSync {
  if (statements.size >= statementsMax && !statements.has(sql)) statements.clear()
  return statements.getOrInsertComputed(sql, () => raw.prepare(sql))
}
