// In charge of what an attempt means for its delivery: done with, given up, or tried again, and when.

import { isExhausted, type Random, retryDelayMs } from '../retry-schedule.ts'
import type { DeliveryStatus } from '../tables.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import type { SentEvent } from './event-cache.ts'
import type { Waiting } from './queue.ts'

export interface Verdict {
  readonly status: DeliveryStatus
  readonly tries: number
  /** Null where it is over. */
  readonly nextAttemptAt: string | null
  /** It is over, and had failed before: others may wait behind it. */
  readonly isWayFree: boolean
}

/** The health has taken note of the attempt already. A test is tried once. */
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
    return { status: 'waiting', tries, nextAttemptAt, isWayFree: false }
  }
  const status = isDelivered ? 'delivered' : 'failed'
  return { status, tries, nextAttemptAt: null, isWayFree: row.attempts > 0 }
}

/** Only where others got through: what takes nothing at all is not the fault of this event. */
function isGivenUp({ created_at }: SentEvent, tries: number, health: EndpointHealth): boolean {
  const { isDisabled, lastSuccessAt } = health
  return isExhausted(tries) && !isDisabled && lastSuccessAt !== null && lastSuccessAt > created_at
}

/** Of an endpoint that is disabled: at once, when it is active again. */
function retryAt(at: string, tries: number, { isDisabled }: EndpointHealth, random: Random): string {
  return isDisabled ? at : new Date(Date.parse(at) + retryDelayMs(tries, random)).toISOString()
}
