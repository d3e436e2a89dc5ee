// Opens the counter selected by the settings: in memory for the one process on SQLite, or shared by many processes, in
// Redis and PostgreSQL.
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { takeServingLock } from '../file-lock.ts'
import type { Counter } from './counter.ts'
import { MemoryCounter } from './memory-counter.ts'

export interface CounterParts {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  /** Called whenever all processes have moved to another place, and at the start. */
  readonly onMoved?: (place: 'redis' | 'database') => void
}

export async function openCounter(parts: CounterParts): Promise<Counter> {
  const { config, database, log, onMoved = () => {} } = parts
  const { redisUrl } = config
  if (redisUrl !== undefined || database.engine === 'postgres') {
    // Loaded only where it is used: most installations do without it and start faster.
    const { openAgreedCounter } = await import('./agreed-counter.ts')
    return openAgreedCounter({ redisUrl, database, log, onMoved })
  }
  const lock = takeServingLock(config.dataDir)
  if (!lock.isAlone) {
    log.warn(
      'Another process serves this data directory, and each counts for itself: set REDIS_URL or DATABASE_URL to count exactly.',
    )
  }
  return new MemoryCounter(database, log, lock)
}
