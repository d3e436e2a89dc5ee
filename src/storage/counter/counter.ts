// Counts up to a daily limit for a subject, shared by all processes. Each UTC day starts at zero. Knows nothing about
// accounts.

export interface Taken {
  /** Used on this day, including this one if it was granted. */
  readonly used: number
  readonly isGranted: boolean
}

/** What the database had counted for a subject. */
export interface ReadTotal {
  readonly day: string
  readonly used: number
  /** When the database was asked, by `performance.now()`. */
  readonly askedMs: number
}

export interface Counter {
  /** Takes one of the day's `limit`, if one remains. Synchronous where the count is in memory. */
  take(subject: string, day: string, limit: number): Taken | Promise<Taken>
  /** Takes all that remains of the day's `limit`, and returns the number used before. */
  takeAll(subject: string, day: string, limit: number): Promise<number>
  /** The number used on this day, without taking one. */
  read(subject: string, day: string): number | Promise<number>
  /** Tells the counter a total that was read with something else, so that it need not ask for it at once. */
  learn(subject: string, total: ReadTotal): void
  /** Writes the counts that are not in the database yet. */
  close(): Promise<void>
}
