// Writes the counts that have changed to the database at short intervals. Counts whose write failed are written the next time.
import type { Log } from '../../log.ts'
import { type Repeated, repeat } from '../repeat.ts'

const flushMs = 50

export interface ChangedCounts<Count> extends Repeated {
  add(count: Count): void
  /** Writes all changed counts now, after those that are being written. */
  flush(): Promise<void>
}

export function flushChanges<Count>(
  log: Log,
  write: (counts: readonly Count[]) => Promise<void>,
): ChangedCounts<Count> {
  const changed = new Set<Count>()
  let isTold = false
  let writing: Promise<void> = Promise.resolve()
  const flushNow = async () => {
    if (changed.size === 0) return
    const counts = [...changed]
    changed.clear()
    await write(counts).catch((error) => {
      for (const count of counts) changed.add(count)
      throw error
    })
    isTold = false
  }
  const flush = () => {
    const flushed = writing.then(flushNow)
    writing = flushed.catch(() => {})
    return flushed
  }
  const warn = (error: unknown) => {
    // Once, not twenty times a second.
    if (!isTold) log.warn({ err: error }, 'cannot write the request counts, will try again')
    isTold = true
  }
  return { ...repeat(flushMs, flush, warn), add: (count) => void changed.add(count), flush }
}
