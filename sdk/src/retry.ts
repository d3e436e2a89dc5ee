// Decides whether a failed request is sent again, and after how long.
import { ConnectionError, QuotaExceededError, retryAfterSeconds, WatchdataError } from './errors.ts'

const firstDelayMs = 500
const delayMaxMs = 8_000
/** A service that asks for more is not waited for. */
const retryAfterMaxSeconds = 60
const retriedStatuses: readonly (number | undefined)[] = [408, 409, 429, 500, 502, 503, 504]

/** Undefined where the next attempt would fail as well, or may come only much later. */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  if (!isPassing(error)) return undefined
  const asked = (error.headers && retryAfterSeconds(error.headers)) ?? 0
  return asked > retryAfterMaxSeconds ? undefined : asked * 1_000 + backoffMs(attempt)
}

/** Whether the same request may succeed a little later. */
function isPassing(error: unknown): error is WatchdataError {
  if (!(error instanceof WatchdataError) || error instanceof QuotaExceededError) return false
  if (error instanceof ConnectionError) return true
  return retriedStatuses.includes(error.status)
}

/** Exponential, with full jitter: clients that failed together do not come back together. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(delayMaxMs, firstDelayMs * 2 ** attempt)
}

/** Waits, but not after `signal` was aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
