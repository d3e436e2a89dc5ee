// Counts in memory, for a single process. The counts are written to the database every 50 ms, so a crash loses at most
// the last 50 ms.
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import type { ServingLock } from '../file-lock.ts'
import type { Counter, Taken } from './counter.ts'
import { CountsByDay } from './counts-by-day.ts'
import { addToCounts, readCount } from './daily-counts.ts'
import { type ChangedCounts, flushChanges } from './flush-changes.ts'

/** Attempts at the last flush, of two seconds each. */
const lastAttemptsMax = 5

interface Count {
  readonly subject: string
  readonly day: string
  used: number
  /** How many of `used` are not in the database yet. */
  unwritten: number
}

export class MemoryCounter implements Counter {
  readonly #database: Database
  readonly #counts = new CountsByDay<Count>()
  readonly #loading = new Map<string, Promise<Count>>()
  readonly #changed: ChangedCounts<Count>
  readonly #lock: ServingLock

  /** `lock` is held until the counter is closed. */
  constructor(database: Database, log: Log, lock: ServingLock) {
    this.#database = database
    this.#lock = lock
    this.#changed = flushChanges(log, (counts) => this.#write(counts))
  }

  take(subject: string, day: string, limit: number): Taken | Promise<Taken> {
    const count = this.#counts.find(subject, day)
    return count === undefined
      ? this.#load(subject, day).then((loaded) => this.#takeOne(loaded, limit))
      : this.#takeOne(count, limit)
  }

  async takeAll(subject: string, day: string, limit: number): Promise<number> {
    const count = this.#counts.find(subject, day) ?? (await this.#load(subject, day))
    const { used } = count
    const left = limit - used
    if (left <= 0) return used
    count.used = limit
    count.unwritten += left
    this.#changed.add(count)
    return used
  }

  read(subject: string, day: string): number | Promise<number> {
    const count = this.#counts.find(subject, day)
    return count === undefined ? this.#load(subject, day).then(({ used }) => used) : count.used
  }

  /** This process alone counts, and knows its counts already. */
  learn(): void {}

  async close(): Promise<void> {
    try {
      await this.#flushLast()
    } finally {
      this.#lock.release()
    }
  }

  /** Retries, because another process may hold the file for a while and this is the last chance to write. */
  async #flushLast(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#changed.stop()
      } catch (error) {
        if (attempt === lastAttemptsMax) throw error
      }
    }
  }

  #takeOne(count: Count, limit: number): Taken {
    if (count.used >= limit) return { used: count.used, isGranted: false }
    count.used++
    if (count.unwritten++ === 0) this.#changed.add(count)
    return { used: count.used, isGranted: true }
  }

  /** Reads the count from the database, once for all concurrent callers. */
  #load(subject: string, day: string): Promise<Count> {
    const key = `${subject} ${day}`
    const load = async () => {
      const used = await readCount(this.#database, subject, day)
      const count = { subject, day, used, unwritten: 0 }
      this.#counts.set(subject, day, count)
      return count
    }
    return this.#loading.getOrInsertComputed(key, () => load().finally(() => this.#loading.delete(key)))
  }

  async #write(counts: readonly Count[]): Promise<void> {
    const added = counts.map(({ subject, day, unwritten }) => ({ subject, day, used: unwritten }))
    const totals = await addToCounts(this.#database, added)
    counts.forEach((count, at) => {
      count.unwritten -= added[at]?.used ?? 0
      if (count.unwritten > 0) this.#changed.add(count)
      // Another process on the same file may count too, such as the one that replaces this one.
      count.used = Math.max(count.used, (totals[at] ?? 0) + count.unwritten)
    })
  }
}
