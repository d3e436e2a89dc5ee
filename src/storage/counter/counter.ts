// Counts up to a daily limit for a subject, shared by all processes. Each UTC day starts at zero. Knows nothing about
// accounts.

export interface Taken {
  /** Of the day, this one included if it was granted. */
  readonly used: number
  readonly isGranted: boolean
}

export interface Counter {
  /** Takes one of the day's `limit`, if one is left. At once where nobody has to be asked. */
  take(subject: string, day: string, limit: number): Taken | Promise<Taken>
  /** What is used of the day, taking nothing. */
  read(subject: string, day: string): number | Promise<number>
  /** Writes down what is not written yet. */
  close(): Promise<void>
}
