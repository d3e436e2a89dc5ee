// Runs a command with an open database: reads the settings, opens a log for warnings, opens and closes the database,
// and turns rejected requests into one-sentence failures.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../clock.ts'
import { type Config, parseConfig } from '../config.ts'
import { Failure, Problem } from '../errors.ts'
import { openLog } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { migrate, pendingMigrations } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open-database.ts'
import { hasSqlite } from '../storage/sqlite.ts'
import { isUnreachable } from '../storage/unreachable.ts'

interface DatabaseOptions {
  /** Fails if there is no database yet, instead of creating one. */
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
    if (error instanceof Problem) throw new Failure(sentenceOf(error))
    throw isUnreachable(error)
      ? new Failure('The connection to the database was lost: check it, and run the command again.')
      : error
  } finally {
    await database.close()
  }
}

/** Requires a database that exists and has the schema of this version. */
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

/** Creates the database if there is none, and migrates it. */
export function withMigratedDatabase<T>(work: Work<T>): Promise<T> {
  return withDatabase(async (database, config) => {
    await migrate(database, systemClock)
    return work(database, config)
  })
}

/** For dry runs: if there is no database yet, uses an empty temporary one that is deleted afterwards. */
export async function withTrialDatabase<T>(work: Work<T>): Promise<T> {
  const config = parseConfig(process.env)
  if (config.databaseUrl !== undefined || hasSqlite(config.dataDir)) return withCurrentDatabase(work)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'watchdata-trial-'))
  try {
    const trial = { ...config, dataDir }
    const database = await openDatabase(trial, openLog(trial))
    try {
      await migrate(database, systemClock)
      return await work(database, trial)
    } finally {
      await database.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function sentenceOf({ message, details }: Problem): string {
  return Object.values(details.errors ?? {})
    .flat()
    .concat(details.errors === undefined ? message : [])
    .join(' ')
}
