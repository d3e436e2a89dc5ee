// Opens the database selected by the settings: SQLite in the data directory, or PostgreSQL.
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { openSqlite } from './sqlite.ts'

export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) return openSqlite(config.dataDir)
  // Loaded only where it is used: most installations do without it and start faster.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres({ ...config, databaseUrl: config.databaseUrl }, log)
}
