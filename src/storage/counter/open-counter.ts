// Opens the counter selected by the settings: in memory for the one process on SQLite, Redis for many, or PostgreSQL
// itself where there is no Redis.
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { takeServingLock } from '../file-lock.ts'
import type { Counter } from './counter.ts'
import { readCount, takeFromDatabase } from './daily-counts.ts'
import { MemoryCounter } from './memory-counter.ts'
import { TakeBatcher } from './take-together.ts'

export interface CounterParts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

export async function openCounter({ config, database, clock, log }: CounterParts): Promise<Counter> {
  if (config.redisUrl !== undefined) {
    // Loaded only where it is used: most installations do without it and start faster.
    const { openRedisCounter } = await import('./redis-counter.ts')
    return openRedisCounter(config.redisUrl, database, clock, log)
  }
  if (database.engine === 'postgres') return databaseCounter(database)
  const lock = takeServingLock(config.dataDir)
  if (!lock.isAlone) {
    log.warn(
      'Another process serves this data directory, and each counts for itself: set REDIS_URL or DATABASE_URL to count exactly.',
    )
  }
  return new MemoryCounter(database, log, lock)
}

/** Counts in the database itself, for many processes without Redis: exact, but slower. */
function databaseCounter(database: Database): Counter {
  const together = new TakeBatcher((question) => takeFromDatabase(database, question))
  return {
    take: (subject, day, limit) => together.take(subject, day, limit),
    takeAll: async (subject, day, limit) =>
      (await takeFromDatabase(database, { subject, day, limit, count: limit })).usedBefore,
    read: async (subject, day) => (await readCount(database, subject, day)).used,
    close: async () => {},
  }
}
