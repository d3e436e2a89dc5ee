// The only source of "now". Everything that needs the time takes a Clock, so that tests can move it.

export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
