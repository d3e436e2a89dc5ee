// Describes the state of a webhook: a word, the reason, and what the user can do about it.
import type { Webhook } from '../../account-api.ts'
import type { Tone } from '../parts/mark.tsx'

export interface Standing {
  readonly tone: Tone
  readonly word: string
  /** Undefined when there is nothing to explain. */
  readonly why?: string
}

/** After this many failures in a row the service considers an endpoint down and tries one event at a time. */
const downAfter = 5
const disabledAfterMs = 5 * 86_400_000

/** `isBeyondPlan` is whether the account has more webhooks than its plan allows and this is not among the oldest. */
export function webhookState(webhook: Webhook, isBeyondPlan = false): Standing {
  const { status, consecutive_failures: failures } = webhook
  if (status === 'disabled') return { tone: 'bad', word: 'Disabled', why: whyDisabled(webhook) }
  if (isBeyondPlan) {
    const why =
      'You have more webhooks than your plan includes. Only the oldest receive events; this one does not.'
    return { tone: 'ended', word: 'Over plan limit', why }
  }
  if (status === 'paused') {
    const why = 'You paused this webhook. Events are queued and sent when you activate it.'
    return { tone: 'waiting', word: 'Paused', why }
  }
  if (failures >= downAfter) {
    const why = `The last ${failures} attempts failed. We try one event at a time until one succeeds; no event is dropped meanwhile.`
    return { tone: 'bad', word: 'Active, failing', why }
  }
  if (failures > 0) {
    const attempts = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`
    return { tone: 'waiting', word: 'Active', why: `${attempts} failed. Failed events are retried.` }
  }
  return { tone: 'good', word: 'Active' }
}

function whyDisabled({ last_success_at, last_failure_at, created_at }: Webhook): string {
  const goodMs = Date.parse(last_success_at ?? created_at)
  const failedForMs = last_failure_at === null ? 0 : Date.parse(last_failure_at) - goodMs
  const cause =
    failedForMs < disabledAfterMs
      ? 'The endpoint returned status 410, which means that it no longer exists.'
      : 'The endpoint failed for five days, or returned status 410.'
  return `${cause} No new events are queued. Activate the webhook when your endpoint works again; changes you missed are in the change feed.`
}
