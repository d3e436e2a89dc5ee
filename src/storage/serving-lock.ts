// In charge of knowing whether another process serves the same data directory: a file that the first one holds locked
// for as long as it lives, however it ends.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface ServingLock {
  readonly isAlone: boolean
  release(): void
}

/** SQLite's own lock on a file of its own: it is gone with the process, which no file by itself would be. */
export function takeServingLock(dataDir: string): ServingLock {
  const file = new DatabaseSync(path.join(dataDir, 'serving.lock'), { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
    return { isAlone: true, release: () => file.close() }
  } catch {
    file.close()
    return { isAlone: false, release: () => {} }
  }
}
