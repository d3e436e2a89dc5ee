// In charge of how a webhook stands, in words: its state, why it is so, and what its owner can do about it.
import type { Webhook } from '../../account-api.ts'
import type { Tone } from '../parts/mark.tsx'

export interface Standing {
  readonly tone: Tone
  readonly word: string
  /** Undefined where there is nothing to explain. */
  readonly why?: string
}

/** The service takes one that failed so often in a row for down, and tries one event at a time. */
const downAfter = 5
const disabledAfterMs = 5 * 86_400_000

/** `isBeyondPlan`: the account has more webhooks than its plan, and this is not among the oldest. */
export function standingOf(webhook: Webhook, isBeyondPlan = false): Standing {
  const { status, consecutive_failures: failures } = webhook
  if (status === 'disabled') return { tone: 'bad', word: 'Disabled', why: whyDisabled(webhook) }
  if (isBeyondPlan) {
    const why = 'Your plan has fewer webhooks, and the oldest get the events: this one gets none.'
    return { tone: 'ended', word: 'Beyond your plan', why }
  }
  if (status === 'paused') {
    const why = 'You paused it. Events are recorded, and sent when you set it to active.'
    return { tone: 'waiting', word: 'Paused', why }
  }
  if (failures >= downAfter) {
    const why = `The last ${failures} attempts failed. One event at a time is tried until one is taken; nothing is given up meanwhile.`
    return { tone: 'bad', word: 'Active, failing', why }
  }
  if (failures > 0) {
    const attempts = failures === 1 ? 'The last attempt' : `The last ${failures} attempts`
    return { tone: 'waiting', word: 'Active', why: `${attempts} failed. What failed is tried again.` }
  }
  return { tone: 'good', word: 'Active' }
}

function whyDisabled({ last_success_at, last_failure_at, created_at }: Webhook): string {
  const goodMs = Date.parse(last_success_at ?? created_at)
  const failedForMs = last_failure_at === null ? 0 : Date.parse(last_failure_at) - goodMs
  const cause =
    failedForMs < disabledAfterMs
      ? 'The address answered 410, which says that nothing lives there any more.'
      : 'The address took nothing for five days, or answered 410.'
  return `${cause} Nothing is recorded now. Set it to active when your side works again; what happened meanwhile is in the change feed.`
}
