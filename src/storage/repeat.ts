// Runs work repeatedly, with a pause after each run, and a last time when stopped.
import { setTimeout as delay } from 'node:timers/promises'

export interface Repeated {
  /** Waits for the current run, then runs a last time; throws what that last run throws. */
  stop(): Promise<void>
}

/** `onError` receives the error of a failed run; the next run follows all the same. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      // The timer must not keep the process alive; `stop` ends the work in good order.
      await delay(everyMs, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) await work().catch(onError)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      await work()
    },
  }
}
