// What the commands on a database share: settings, a log for warnings, the database opened and closed again, and
// what was refused told as a sentence.
import { systemClock } from '../clock.ts'
import { type Config, parseConfig } from '../config.ts'
import { Failure, Problem } from '../errors.ts'
import { openLog } from '../log.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { migrate, pendingMigrations } from '../storage/migrate.ts'
import { hasSqlite } from '../storage/sqlite.ts'

interface DatabaseOptions {
  /** Fails where there is no database yet, instead of making one. */
  readonly mustExist?: boolean
}

type Work<T> = (database: Database, config: Config) => Promise<T>

export async function withDatabase<T>(
  work: Work<T>,
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
    return await work(database, config)
  } catch (error) {
    throw error instanceof Problem ? new Failure(sentenceOf(error)) : error
  } finally {
    await database.close()
  }
}

/** A database that is there and has the tables of this version. */
export function withCurrentDatabase<T>(work: Work<T>): Promise<T> {
  return withDatabase(
    async (database, config) => {
      if ((await pendingMigrations(database)).length > 0) {
        throw new Failure('The database is not up to date: run `watchdata migrate` first.')
      }
      return work(database, config)
    },
    { mustExist: true },
  )
}

/** Made where there is none, and brought up to date. */
export function withMigratedDatabase<T>(work: Work<T>): Promise<T> {
  return withDatabase(async (database, config) => {
    await migrate(database, systemClock)
    return work(database, config)
  })
}

function sentenceOf({ message, details }: Problem): string {
  return Object.values(details.errors ?? {})
    .flat()
    .concat(details.errors === undefined ? message : [])
    .join(' ')
}
