// Turns errors of SQLite into one sentence that names the file.
import { Failure } from '../../errors.ts'

export function withSqliteFailure<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteFailure(file, error)
  }
}

/** Other errors are returned as they are. */
export function sqliteFailure(file: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') return error
  return new Failure(`Cannot use ${file} with SQLite (${(error as Error).message}).`)
}
