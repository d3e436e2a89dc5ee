// Detects whether another process serves the same data directory.
import path from 'node:path'
import { tryFileLock } from './file-lock.ts'

export interface ServingLock {
  readonly isAlone: boolean
  release(): void
}

export function takeServingLock(dataDir: string): ServingLock {
  try {
    const lock = tryFileLock(path.join(dataDir, 'serving.lock'))
    return { isAlone: lock !== undefined, release: () => lock?.release() }
  } catch {
    // An error such as a full disk does not mean that there is another process.
    return { isAlone: true, release: () => {} }
  }
}
