// What the commands on a database share: settings, a log for warnings, the database opened and closed again.
import { parseConfig } from '../config.ts'
import { Failure } from '../errors.ts'
import { openLog } from '../log.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { hasSqlite } from '../storage/sqlite.ts'

interface DatabaseOptions {
  /** Fails where there is no database yet, instead of making one. */
  readonly mustExist?: boolean
}

export async function withDatabase<T>(
  work: (database: Database) => Promise<T>,
  { mustExist = false }: DatabaseOptions = {},
): Promise<T> {
  const config = parseConfig(process.env)
  if (mustExist && config.databaseUrl === undefined && !hasSqlite(config.dataDir)) {
    throw new Failure(
      `There is no database in ${config.dataDir}: set DATA_DIR or DATABASE_URL to where it is.`,
    )
  }
  const database = await openDatabase(config, openLog(config))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
