// Describes the state of a delivery in words, and decides how often the log is polled.
import type { Attempt, Delivery } from '../../../account-api.ts'
import type { Tone } from '../../parts/mark.tsx'

export const deliveryStates: Readonly<Record<Delivery['status'], readonly [word: string, tone: Tone]>> = {
  waiting: ['Waiting', 'waiting'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
}

const waitsFor: Readonly<Record<NonNullable<Delivery['waiting_for']>, string>> = {
  earlier_event: 'Waiting for an earlier event of the same watch.',
  paused: 'Waiting until the webhook is active again.',
  disabled: 'Waiting until the webhook is active again.',
}

/** Why the delivery is not sent now; undefined when it only waits for its next attempt. */
export function findReason({ waiting_for }: Delivery): string | undefined {
  return waiting_for === null ? undefined : waitsFor[waiting_for]
}

/** `Status 500`, or why there was no response; undefined before the first attempt. */
export function findLastAnswer(delivery: Delivery): string | undefined {
  const { last_response_status, last_error, last_attempt_at } = delivery
  if (last_attempt_at === null) return undefined
  return last_error ?? (last_response_status === null ? 'No response.' : `Status ${last_response_status}`)
}

/** The result of a completed attempt. */
export function answerOf({ response_status, duration_ms }: Attempt): string {
  const span = inSpan(duration_ms)
  if (response_status !== null) return `status ${response_status} after ${span}`
  return `no response after ${span}`
}

export function inSpan(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs} ms` : `${(durationMs / 1_000).toFixed(1)} s`
}

export function isTaken({ response_status }: Attempt): boolean {
  return response_status !== null && response_status >= 200 && response_status < 300
}

const soonMs = 15_000
/** A delivery overdue by this long waits for something that the API does not report. */
const overdueMs = 60_000
const oftenMs = 1_500
const seldomMs = 15_000

/** Short while a delivery may change at any moment; otherwise longer, only to find new deliveries. */
export function pollIntervalMs(deliveries: readonly Delivery[], nowMs: number): number {
  return deliveries.some((delivery) => isDueSoon(delivery, nowMs)) ? oftenMs : seldomMs
}

function isDueSoon({ status, waiting_for, next_attempt_at }: Delivery, nowMs: number): boolean {
  if (status !== 'waiting' || waiting_for !== null) return false
  // A delivery that was just recorded may have no time yet.
  if (next_attempt_at === null) return true
  const untilMs = Date.parse(next_attempt_at) - nowMs
  return untilMs < soonMs && untilMs > -overdueMs
}
