// Counts the attempts of a subject, such as an address or an email, within a window. Knows nothing about who makes them.

export interface Attempt {
  readonly subject: string
  /** How many attempts a window admits. */
  readonly max: number
  readonly nowMs: number
  /** When the window ends if it begins with this attempt. */
  readonly untilMs: number
}

export interface AttemptCounts {
  /**
   * Counts one attempt and returns 0; if there were `max` already, returns how many milliseconds to wait. Exact over all
   * processes. Synchronous where the counts are in memory.
   */
  count(attempt: Attempt): number | Promise<number>
  /**
   * The same without waiting for the database: other processes learn of the attempt within a second, so together they
   * may admit more than `max`, by the attempts of that second.
   */
  countLocally(attempt: Attempt): number
  /** Takes back an attempt that was counted, but in the end not made. */
  takeBack(subject: string, nowMs: number): void | Promise<void>
}

/** Opens the counts of one kind of attempt; those of different kinds do not affect each other. */
export type OpenAttemptCounts = (kind: string) => AttemptCounts
