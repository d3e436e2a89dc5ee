// In charge of a database for a test: fresh, migrated, closed again when the test is done.
import { onTestFinished } from 'vitest'
import type { Clock } from '../src/clock.ts'
import { type Config, parseConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { type Database, openDatabase } from '../src/storage/database.ts'
import { migrate } from '../src/storage/migrate.ts'
import type { Engine } from './engines.ts'

/** Stands still until it is moved. */
export function manualClock(start = '2026-03-01T12:00:00.000Z'): Clock & { moveTo(time: string): void } {
  let now = start
  return {
    now: () => new Date(now),
    nowMs: () => Date.parse(now),
    moveTo(time) {
      now = time
    },
  }
}

/** For tests that are not about the quota, and whose clock stands still. */
export const plentiful = { PLAN_LIMITS: 'free=1000000', BURST_LIMIT: '0' }

export async function freshConfig(engine: Engine): Promise<Config> {
  return parseConfig({
    ...plentiful,
    ...(await engine.settings()),
    LOG_LEVEL: 'silent',
    PORT: '0',
    DRAIN_MS: '0',
  })
}

/** One more door to the same database, as another process would have. */
export async function openUnmigrated(config: Config): Promise<Database> {
  const database = await openDatabase(config, openLog(config))
  onTestFinished(() => database.close())
  return database
}

export async function openFresh(
  engine: Engine,
): Promise<{ database: Database; config: Config; clock: Clock }> {
  const config = await freshConfig(engine)
  const clock = manualClock()
  const database = await openUnmigrated(config)
  await migrate(database, clock)
  return { database, config, clock }
}
