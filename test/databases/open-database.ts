// Opens a fresh, migrated database for a test and closes it when the test finishes.
import type { Clock } from '../../src/clock.ts'
import { type Config, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { endLater } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import type { Engine } from './engines.ts'
import type { Contents } from './template-databases.ts'

/** Settings for tests that are not about quotas, whose clock stands still. */
export const plentiful = { PLAN_LIMITS: 'free=1000000', BURST_LIMIT: '0' }

export async function freshConfig(engine: Engine, contents: Contents = 'empty'): Promise<Config> {
  return parseConfig({
    ...plentiful,
    ...(await engine.settings(contents)),
    LOG_LEVEL: 'silent',
    PORT: '0',
    DRAIN_MS: '0',
  })
}

/** Opens another connection to the same database, as another process would. */
export async function openUnmigrated(config: Config): Promise<Database> {
  const database = await openDatabase(config, openLog(config))
  endLater(() => database.close())
  return database
}

export async function openFresh(
  engine: Engine,
): Promise<{ database: Database; config: Config; clock: Clock }> {
  const config = await freshConfig(engine, 'migrated')
  return { database: await openUnmigrated(config), config, clock: manualClock() }
}
