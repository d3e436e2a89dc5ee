// Polls until a condition holds. A condition that throws does not hold yet.
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 20

/** Throws if the condition does not hold within `maxMs`. */
export async function until(what: string, holds: () => Promise<boolean>, maxMs: number): Promise<void> {
  if (!(await becomes(holds, maxMs))) throw new Error(`${what}: not within ${maxMs} ms`)
}

/** Returns false if the condition does not hold within `maxMs`. */
export async function becomes(holds: () => Promise<boolean> | boolean, maxMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + maxMs
  for (;;) {
    const isHeld = await Promise.resolve()
      .then(holds)
      .catch(() => false)
    if (isHeld) return true
    if (performance.now() > deadlineMs) return false
    await delay(pollMs)
  }
}
