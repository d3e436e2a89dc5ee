// Runs a command with an open database: reads the settings, opens a log for warnings, opens and closes the database,
// and turns rejected requests into one-sentence failures.
import { mkdtempDisposable } from 'node:fs/promises'
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

type Work<T> = (database: Database, config: Config) => Promise<T>

export async function withDatabase<T>(work: Work<T>, config = parseConfig(process.env)): Promise<T> {
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

/** Fails if there is no database yet, instead of creating one. */
export async function withExistingDatabase<T>(work: Work<T>): Promise<T> {
  const config = parseConfig(process.env)
  if (hasDatabase(config)) return withDatabase(work, config)
  throw new Failure(`There is no database in ${config.dataDir}: set DATA_DIR or DATABASE_URL to where it is.`)
}

/** Requires a database that exists and has the schema of this version. */
export function withCurrentDatabase<T>(work: Work<T>): Promise<T> {
  return withExistingDatabase(async (database, config) => {
    if ((await pendingMigrations(database)).length > 0) {
      throw new Failure('The database is not up to date: run `watchdata migrate` first.')
    }
    return work(database, config)
  })
}

/** Creates the database if there is none, and migrates it. */
export function withMigratedDatabase<T>(work: Work<T>, config?: Config): Promise<T> {
  return withDatabase(async (database, settings) => {
    await migrate(database, systemClock)
    return work(database, settings)
  }, config)
}

/** For dry runs: if there is no database yet, uses an empty temporary one that is deleted afterwards. */
export async function withTrialDatabase<T>(work: Work<T>): Promise<T> {
  const config = parseConfig(process.env)
  if (hasDatabase(config)) return withCurrentDatabase(work)
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'watchdata-trial-'))
  return await withMigratedDatabase(work, { ...config, dataDir: directory.path })
}

/** A database on a server is expected to exist. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || hasSqlite(dataDir)
}

function sentenceOf({ message, details }: Problem): string {
  return details.errors === undefined ? message : Object.values(details.errors).flat().join(' ')
}
