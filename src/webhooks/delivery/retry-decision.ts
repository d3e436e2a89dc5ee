// Decides what the result of an attempt means for its delivery: delivered, failed for good, or retried, and when.
import { isExhausted, type Random, retryDelayMs } from '../retry-schedule.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import type { SentEvent } from './event-cache.ts'
import type { Waiting } from './queue.ts'
import type { Result } from './recorder.ts'

/** `next_attempt_at` is null if the result is final. */
type Verdict = Pick<Result, 'status' | 'tries' | 'next_attempt_at' | 'releasesHeld'>

/** When an attempt was made, and whether it succeeded. */
export interface AttemptResult {
  readonly at: string
  readonly isDelivered: boolean
}

/** `health` must have noted the attempt already. A test is attempted once. */
export function judge(
  row: Waiting,
  event: SentEvent,
  { at, isDelivered }: AttemptResult,
  health: EndpointHealth,
  random: Random,
): Verdict {
  const tries = row.tries + 1
  const isTest = row.previous_sequence === null
  if (!isDelivered && !isTest && !isGivenUp(event, tries, health)) {
    const next_attempt_at = retryAt(at, tries, health, random)
    return { status: 'waiting', tries, next_attempt_at, releasesHeld: false }
  }
  const status = isDelivered ? 'delivered' : 'failed'
  // A final result after earlier attempts releases the deliveries queued behind it.
  return { status, tries, next_attempt_at: null, releasesHeld: row.attempts > 0 }
}

/** Gives up only if the endpoint accepted another event since: if it accepts none, this event is not at fault. */
function isGivenUp({ created_at }: SentEvent, tries: number, { isDisabled, row }: EndpointHealth): boolean {
  return isExhausted(tries) && !isDisabled && row.last_success_at !== null && row.last_success_at > created_at
}

/** If the endpoint is disabled, the delivery is due at once when the endpoint is active again. */
function retryAt(at: string, tries: number, { isDisabled }: EndpointHealth, random: Random): string {
  return isDisabled ? at : new Date(Date.parse(at) + retryDelayMs(tries, random)).toISOString()
}
