// Writes the counts that have changed to the database at short intervals. Counts whose write failed are written the next time.
import type { Log } from '../../log.ts'
import { type Repeated, repeat } from '../repeat.ts'

export const flushMs = 50

export interface ChangedCounts<Count> extends Repeated {
  add(count: Count): void
}

export function flushChanges<Count>(
  log: Log,
  write: (counts: readonly Count[]) => Promise<void>,
): ChangedCounts<Count> {
  const changed = new Set<Count>()
  const flush = async () => {
    if (changed.size === 0) return
    const counts = [...changed]
    changed.clear()
    await write(counts).catch((error) => {
      for (const count of counts) changed.add(count)
      throw error
    })
  }
  const warn = (error: unknown) => log.warn({ err: error }, 'cannot write the request counts, will try again')
  return { ...repeat(flushMs, flush, warn), add: (count) => void changed.add(count) }
}
