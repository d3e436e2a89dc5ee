// Locks a file for one process for as long as the process lives, however it ends.
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

const busyCode = 5

export interface FileLock {
  release(): void
}

/** Takes SQLite's lock on a separate file: the lock ends with the process, which a mere file would not. */
export function tryFileLock(file: string): FileLock | undefined {
  const held = new DatabaseSync(file, { timeout: 0 })
  try {
    held.exec('BEGIN EXCLUSIVE')
    return { release: () => held.close() }
  } catch (error) {
    held.close()
    if ((error as { errcode?: number }).errcode === busyCode) return undefined
    throw new Failure(`Cannot lock ${file} (${(error as Error).message}): check the disk.`)
  }
}
