// In charge of when an event is tried again, and when an endpoint that takes nothing is given up.

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** After the first attempt, the second, and so on. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** So that endpoints that failed together are not tried together. */
const jitter = 0.1

/** Failures in a row after which an endpoint is taken to be down: one event at a time is tried, to see whether it is up. */
export const failuresUntilDown = 5

/** An endpoint that is down is tried soon at first, then every so often. */
const firstProbeMs = 5 * secondMs
const probeMaxMs = 5 * minuteMs

/** Nothing but failure for so long disables an endpoint. */
export const disabledAfterMs = 5 * dayMs

/** How long deliveries are kept. */
export const retentionMs = 30 * dayMs

/** A number from 0 to 1. */
export type Random = () => number

/** After so many tries; from the last of the table on, daily. */
export function retryDelayMs(tries: number, random: Random): number {
  return spread(retryDelaysMs[Math.min(tries, retryDelaysMs.length) - 1] ?? retryDelaysMs[0], random)
}

/** After so many failures in a row. */
export function probeDelayMs(failures: number, random: Random): number {
  const doublings = Math.max(0, failures - failuresUntilDown)
  return spread(Math.min(firstProbeMs * 2 ** doublings, probeMaxMs), random)
}

/** Whether the table has no further try. */
export function isExhausted(tries: number): boolean {
  return tries > retryDelaysMs.length
}

function spread(delayMs: number, random: Random): number {
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random()))
}
