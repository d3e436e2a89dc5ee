// Defines when a failed delivery is retried, when an endpoint that is down is probed, and when it is disabled.

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The delay after the first attempt, after the second, and so on. */
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

/** The share by which a delay varies either way, so that endpoints that failed together are not retried together. */
const jitter = 0.1

/** Consecutive failures after which an endpoint counts as down: it then gets one event at a time, as a probe. */
export const failuresUntilDown = 5

/** The delay before the first probe of an endpoint that is down: many only restart. It triples with each failure, up to the maximum. */
const firstProbeMs = secondMs
const probeGrowth = 3
const probeMaxMs = 5 * minuteMs

/** An endpoint that has only failed for this long is disabled. */
export const disabledAfterMs = 5 * dayMs

/** How long events, deliveries and attempts are stored. */
export const retentionMs = 30 * dayMs

/** Higher than any number of tries. */
const triesMax = 1_000_000

/** Returns a number from 0 to 1. */
export type Random = () => number

/** The delay after this many tries. After the end of the table it stays 24 hours. */
export function retryDelayMs(tries: number, random: Random): number {
  return spread(retryDelaysMs[Math.min(tries, retryDelaysMs.length) - 1] ?? retryDelaysMs[0], random)
}

/** The delay before the next probe, after this many consecutive failures. */
export function probeDelayMs(failures: number, random: Random): number {
  const failedProbes = Math.max(0, failures - failuresUntilDown)
  return spread(Math.min(firstProbeMs * probeGrowth ** failedProbes, probeMaxMs), random)
}

/**
 * How many tries of one event fit into an outage of this length: after it, events with at most as many are retried at
 * once. One that has more was refused before, perhaps for its content: it must not be retried with every recovery.
 */
export function triesWithin(outageMs: number): number {
  const next = retryDelaysMs.findIndex((delayMs) => (1 - jitter) * delayMs > outageMs)
  return next < 0 ? triesMax : next + 1
}

/** Whether the table has no further retry after this many tries. */
export function isExhausted(tries: number): boolean {
  return tries > retryDelaysMs.length
}

function spread(delayMs: number, random: Random): number {
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random()))
}
