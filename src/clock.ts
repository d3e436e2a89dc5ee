// The only source of "now". Everything that needs the time takes a Clock, so that tests can move it.

export interface Clock {
  now(): Date
  /** The same in milliseconds, for code that runs with every request. */
  nowMs(): number
}

export const systemClock: Clock = { now: () => new Date(), nowMs: () => Date.now() }
