// Opens the place where attempts are counted: in memory for the one process on SQLite, in PostgreSQL for many.
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import type { OpenAttemptCounts } from './attempt-counts.ts'
import { DatabaseAttempts } from './database-attempts.ts'
import { MemoryAttempts } from './memory-attempts.ts'

export interface OpenedAttempts {
  readonly open: OpenAttemptCounts
  /** Shares what was counted locally. */
  close(): Promise<void>
}

/** For one process, or for tests of one. */
export const countInMemory: OpenAttemptCounts = () => new MemoryAttempts()

export function openAttempts(database: Database, secret: string, log: Log): OpenedAttempts {
  if (database.engine === 'sqlite') return { open: countInMemory, close: async () => {} }
  const counts = new DatabaseAttempts(database, secret, log)
  return { open: (kind) => counts.open(kind), close: () => counts.close() }
}
