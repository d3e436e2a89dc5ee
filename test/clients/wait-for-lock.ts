// Waits until no other test process holds a lock, and takes it.
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tryFileLock } from '../../src/storage/file-lock.ts'

const pollMs = 100

/** Throws when another process has held the lock for longer than `maxMs`. */
export async function waitForLock(file: string, maxMs: number): Promise<{ release(): void }> {
  const deadline = performance.now() + maxMs
  for (;;) {
    const lock = tryFileLock(file)
    if (lock !== undefined) return lock
    if (performance.now() > deadline) throw new Error(`another process still holds ${path.basename(file)}`)
    await pause(pollMs)
  }
}
