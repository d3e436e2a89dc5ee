// In charge of a file that one process holds locked for as long as it lives, however it ends.
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

const busyCode = 5

export interface FileLock {
  release(): void
}

/** SQLite's own lock on a file of its own: it is gone with the process, which no file by itself would be. */
export function tryFileLock(file: string): FileLock | undefined {
  const held = new DatabaseSync(file, { timeout: 0 })
  try {
    held.exec('BEGIN EXCLUSIVE')
    return { release: () => held.close() }
  } catch (error) {
    held.close()
    if ((error as { errcode?: number }).errcode === busyCode) return undefined
    throw new Failure(`Cannot lock ${file} (${(error as Error).message}): look at the disk.`)
  }
}
