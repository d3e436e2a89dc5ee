// Opens a database for the drill itself, which expects it to fail: nothing is logged.
import { type Environment, parseConfig } from '../../../src/config.ts'
import { openLog } from '../../../src/log.ts'
import type { Database } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'

export function openQuietly(settings: Environment): Promise<Database> {
  const config = parseConfig({ DATABASE_POOL_SIZE: '2', ...settings, LOG_LEVEL: 'silent' })
  return openDatabase(config, openLog(config))
}
