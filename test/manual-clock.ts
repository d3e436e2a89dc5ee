// Provides clocks for tests: one that stands still until it is moved, and the real clock with an adjustable offset.
import type { Clock } from '../src/clock.ts'

export interface ManualClock extends Clock {
  moveTo(time: string): void
}

export function manualClock(start = '2026-03-01T12:00:00.000Z'): ManualClock {
  let now = start
  return {
    now: () => new Date(now),
    nowMs: () => Date.parse(now),
    moveTo(time) {
      now = time
    },
  }
}

/** Moves the clock by a day and a bit. */
export function later(clock: ManualClock): void {
  clock.moveTo(new Date(clock.nowMs() + 86_400_001).toISOString())
}

/** Advances in real time; `moveTo` sets its current time. */
export function runningClock(): ManualClock {
  let aheadMs = 0
  const nowMs = () => Date.now() + aheadMs
  return {
    now: () => new Date(nowMs()),
    nowMs,
    moveTo(time) {
      aheadMs = Date.parse(time) - Date.now()
    },
  }
}
