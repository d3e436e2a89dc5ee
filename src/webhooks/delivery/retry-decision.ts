// Decides what the result of an attempt means for its delivery: delivered, failed for good, or retried, and when.

import { isExhausted, type Random, retryDelayMs } from '../retry-schedule.ts'
import type { DeliveryStatus } from '../tables.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import type { SentEvent } from './event-cache.ts'
import type { Waiting } from './queue.ts'

export interface Verdict {
  readonly status: DeliveryStatus
  readonly tries: number
  /** Null if the result is final. */
  readonly nextAttemptAt: string | null
  /** Final result after earlier attempts: release the deliveries queued behind it. */
  readonly releasesHeld: boolean
}

/** `health` must have noted the attempt already. A test is attempted once. */
export function judge(
  row: Waiting,
  event: SentEvent,
  attempt: { readonly at: string; readonly isDelivered: boolean },
  health: EndpointHealth,
  random: Random,
): Verdict {
  const { at, isDelivered } = attempt
  const tries = row.tries + 1
  const isTest = row.previous_sequence === null
  if (!isDelivered && !isTest && !isGivenUp(event, tries, health)) {
    const nextAttemptAt = retryAt(at, tries, health, random)
    return { status: 'waiting', tries, nextAttemptAt, releasesHeld: false }
  }
  const status = isDelivered ? 'delivered' : 'failed'
  return { status, tries, nextAttemptAt: null, releasesHeld: row.attempts > 0 }
}

/** Gives up only if the endpoint accepted another event since: if it accepts none, this event is not at fault. */
function isGivenUp({ created_at }: SentEvent, tries: number, health: EndpointHealth): boolean {
  const { isDisabled, lastSuccessAt } = health
  return isExhausted(tries) && !isDisabled && lastSuccessAt !== null && lastSuccessAt > created_at
}

/** If the endpoint is disabled, the delivery is due at once when the endpoint is active again. */
function retryAt(at: string, tries: number, { isDisabled }: EndpointHealth, random: Random): string {
  return isDisabled ? at : new Date(Date.parse(at) + retryDelayMs(tries, random)).toISOString()
}
