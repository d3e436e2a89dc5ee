// In charge of how a delivery stands, in words, and of how soon it is worth asking again.
import type { Attempt, Delivery } from '../../../account-api.ts'
import type { Tone } from '../../parts/mark.tsx'

export const deliveryStates: Readonly<Record<Delivery['status'], readonly [word: string, tone: Tone]>> = {
  waiting: ['Waiting', 'waiting'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
}

const waitsFor: Readonly<Record<NonNullable<Delivery['waiting_for']>, string>> = {
  earlier_event: 'Behind an earlier event of the same watch.',
  paused: 'Waits until the webhook is active again.',
  disabled: 'Waits until the webhook is active again.',
}

/** Why it is not sent now, where that is not a matter of time. */
export function findReason({ waiting_for }: Delivery): string | undefined {
  return waiting_for === null ? undefined : waitsFor[waiting_for]
}

/** `Answered 500`, or why there was no answer; undefined before the first attempt. */
export function findLastAnswer(delivery: Delivery): string | undefined {
  const { last_response_status, last_error, last_attempt_at } = delivery
  if (last_attempt_at === null) return undefined
  return last_error ?? (last_response_status === null ? 'No answer.' : `Answered ${last_response_status}`)
}

/** What became of one attempt, said of it when it is over. */
export function answerOf({ response_status, duration_ms }: Attempt): string {
  const span = inSpan(duration_ms)
  if (response_status !== null) return `answered ${response_status} after ${span}`
  return `no answer after ${span}`
}

export function inSpan(durationMs: number): string {
  return durationMs < 1_000 ? `${durationMs} ms` : `${(durationMs / 1_000).toFixed(1)} s`
}

export function isTaken({ response_status }: Attempt): boolean {
  return response_status !== null && response_status >= 200 && response_status < 300
}

const soonMs = 15_000
/** What should have been sent so long ago waits for something that is not told. */
const overdueMs = 60_000
const oftenMs = 1_500
const seldomMs = 15_000

/** Often while one of them may change at any moment; otherwise now and then, for what is new. */
export function askAgainMs(deliveries: readonly Delivery[], nowMs: number): number {
  return deliveries.some((delivery) => isDueSoon(delivery, nowMs)) ? oftenMs : seldomMs
}

function isDueSoon({ status, waiting_for, next_attempt_at }: Delivery, nowMs: number): boolean {
  if (status !== 'waiting' || waiting_for !== null) return false
  // What was just recorded may have no time yet.
  if (next_attempt_at === null) return true
  const untilMs = Date.parse(next_attempt_at) - nowMs
  return untilMs < soonMs && untilMs > -overdueMs
}
