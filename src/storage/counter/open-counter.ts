// Opens the counter selected by the settings: in memory for the one process on SQLite, Redis for many, or PostgreSQL
// itself where there is no Redis.
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { takeServingLock } from '../serving-lock.ts'
import type { Counter } from './counter.ts'
import { DatabaseCounter } from './database-counter.ts'
import { MemoryCounter } from './memory-counter.ts'

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
  if (database.engine === 'postgres') return new DatabaseCounter(database)
  const lock = takeServingLock(config.dataDir)
  if (!lock.isAlone) {
    log.warn(
      'Another process serves this data directory, and each counts for itself: set REDIS_URL or DATABASE_URL to count exactly.',
    )
  }
  return new MemoryCounter(database, log, lock)
}
