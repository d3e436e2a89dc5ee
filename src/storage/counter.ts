// In charge of counting to a limit, once for all processes: what a counter does, and which one the settings ask for.
// The one process on SQLite counts in memory; many count in Redis, or without it in PostgreSQL itself. Knows no account:
// what is counted for is a subject, and each UTC day begins at zero.
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { DatabaseCounter } from './database-counter.ts'
import { MemoryCounter } from './memory-counter.ts'
import { takeServingLock } from './serving-lock.ts'

export interface Taken {
  /** Of the day, this one included if it was granted. */
  readonly used: number
  readonly isGranted: boolean
}

export interface Counter {
  /** Takes one of the day's `limit`, if one is left. At once where nobody has to be asked. */
  take(subject: string, day: string, limit: number): Taken | Promise<Taken>
  /** What is used of the day, taking nothing. */
  read(subject: string, day: string): number | Promise<number>
  /** Writes down what is not written yet. */
  close(): Promise<void>
}

export interface CounterParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

export async function openCounter({ config, database, clock, log }: CounterParts): Promise<Counter> {
  if (config.redisUrl !== undefined) {
    // Loaded only where it is used: most machines start without it, and sooner.
    const { openRedisCounter } = await import('./redis-counter.ts')
    return openRedisCounter(config.redisUrl, database, clock, log)
  }
  if (database.engine === 'postgres') return new DatabaseCounter(database)
  const lock = takeServingLock(config.dataDir)
  if (!lock.isAlone) {
    log.warn(
      'Another process serves this data directory, and each counts for itself: set REDIS_URL or DATABASE_URL to count exactly.',
    )
  }
  return new MemoryCounter(database, log, lock)
}
