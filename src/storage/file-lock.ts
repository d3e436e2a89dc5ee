// Locks a file for one process for as long as the process lives, however it ends.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

const busyCode = 5

interface FileLock {
  release(): void
}

export interface ServingLock extends FileLock {
  readonly isAlone: boolean
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

/** Detects whether another process serves the same data directory. */
export function takeServingLock(dataDir: string): ServingLock {
  try {
    const lock = tryFileLock(path.join(dataDir, 'serving.lock'))
    return { isAlone: lock !== undefined, release: () => lock?.release() }
  } catch {
    // An error such as a full disk does not mean that there is another process.
    return { isAlone: true, release: () => {} }
  }
}
