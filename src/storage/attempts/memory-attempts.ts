// Counts attempts in the memory of this process, and drops the oldest subjects when there are too many.
import type { Attempt, AttemptCounts } from './attempt-counts.ts'

const subjectsMax = 20_000

interface Count {
  attempts: number
  readonly untilMs: number
}

export class MemoryAttempts implements AttemptCounts {
  readonly #counts = new Map<string, Count>()

  count({ subject, max, nowMs, untilMs }: Attempt): number {
    const count = this.#counts.get(subject)
    if (count === undefined || count.untilMs <= nowMs) this.#begin(subject, { attempts: 1, untilMs }, nowMs)
    else if (count.attempts >= max) return count.untilMs - nowMs
    else count.attempts++
    return 0
  }

  countLocally(attempt: Attempt): number {
    return this.count(attempt)
  }

  takeBack(subject: string): void {
    const count = this.#counts.get(subject)
    if (count !== undefined && count.attempts > 0) count.attempts--
  }

  /** Replaces the count of a subject by what all processes have counted. */
  learn(subject: string, count: Count, nowMs: number): void {
    const known = this.#counts.get(subject)
    if (known?.untilMs === count.untilMs) known.attempts = count.attempts
    else this.#begin(subject, { ...count }, nowMs)
  }

  #begin(subject: string, count: Count, nowMs: number): void {
    // Deleted and set again, so that the map stays ordered by time and its first entries are the oldest.
    this.#counts.delete(subject)
    for (const [known, { untilMs }] of this.#counts) {
      if (untilMs > nowMs && this.#counts.size < subjectsMax) break
      this.#counts.delete(known)
    }
    this.#counts.set(subject, count)
  }
}
