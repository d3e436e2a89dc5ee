// Describes plans in words: the lines of a plan's card, and what a user gains and loses by changing plans.
import type { PlanOffer, PlanRequest } from '../../account-api.ts'

interface Offer {
  readonly name: string
  /** How much the plan includes; undefined when it does not include it. */
  readonly extent: (plan: PlanOffer) => string | undefined
}

const number = new Intl.NumberFormat('en-US')

const offers: readonly Offer[] = [
  { name: 'Watches, brands, specs', extent: granted('catalogue', () => 'Yes') },
  { name: 'Price history', extent: granted('prices', priceHistory) },
  { name: 'Change feed', extent: granted('changes', () => 'Yes') },
  { name: 'Webhooks', extent: granted('webhooks', ({ webhooksMax }) => number.format(webhooksMax)) },
  { name: 'Export', extent: granted('export', () => 'Yes') },
  { name: 'Resolve 100 texts at once', extent: granted('resolve', () => 'Yes') },
]

interface PlanLine {
  readonly name: string
  /** Undefined when the plan does not include it. */
  readonly extent: string | undefined
}

/** The same lines, in the same order, for every plan. */
export function linesOf(plan: PlanOffer): readonly PlanLine[] {
  return [
    { name: 'Requests per day', extent: number.format(plan.requestsPerDay) },
    ...offers.map(({ name, extent }) => ({ name, extent: extent(plan) })),
  ]
}

/** `$59 per month`. */
export function priceOf({ usdPerMonth }: PlanOffer): string {
  return `$${number.format(usdPerMonth)} per month`
}

interface Differences {
  readonly gains: readonly string[]
  readonly losses: readonly string[]
}

/** What the user gains and loses by changing from one plan to the other. */
export function compare(from: PlanOffer, to: PlanOffer): Differences {
  const all = [
    compareRequests(from, to),
    compareGrant('changes', 'Change feed', from, to),
    compareGrant('export', 'Export of the whole catalogue', from, to),
    compareGrant('resolve', '100 texts resolved at once instead of one', from, to),
    compareHistory(from, to),
    compareWebhooks(from, to),
  ]
  const found = all.filter((one) => one !== undefined)
  return {
    gains: found.flatMap(({ gain }) => gain ?? []),
    losses: found.flatMap(({ loss }) => loss ?? []),
  }
}

type Difference = { gain: string; loss?: never } | { loss: string; gain?: never } | undefined

function compareRequests(
  { requestsPerDay: before }: PlanOffer,
  { requestsPerDay: after }: PlanOffer,
): Difference {
  if (before === after) return undefined
  const told = `${number.format(after)} requests per day instead of ${number.format(before)}`
  return after > before ? { gain: told } : { loss: told }
}

function compareGrant(grant: string, name: string, from: PlanOffer, to: PlanOffer): Difference {
  const [before, after] = [from.grants.includes(grant), to.grants.includes(grant)]
  if (before === after) return undefined
  return after ? { gain: name } : { loss: name }
}

function compareHistory(from: PlanOffer, to: PlanOffer): Difference {
  const [before, after] = [historyDays(from), historyDays(to)]
  if (before === after) return undefined
  if (after === 0) return { loss: 'Price history' }
  const instead = before === 0 ? '' : ` instead of ${priceHistory(from).toLowerCase()}`
  const told = `Price history: ${priceHistory(to).toLowerCase()}${instead}`
  return after > before ? { gain: told } : { loss: told }
}

/** No webhook is deleted: the newest ones over the limit receive no events. */
function compareWebhooks(from: PlanOffer, to: PlanOffer): Difference {
  const [before, after] = [webhooksOf(from), webhooksOf(to)]
  if (before === after) return undefined
  const instead = before === 0 ? '' : ` instead of ${number.format(before)}`
  const told = `${number.format(after)} webhooks${instead}`
  if (after > before) return { gain: told }
  if (after === 0) return { loss: 'Webhooks: yours are kept but receive no events' }
  return { loss: `${told}: the oldest ${after} stay active, the others are kept but receive no events` }
}

function historyDays(plan: PlanOffer): number {
  if (!plan.grants.includes('prices')) return 0
  return plan.priceHistoryDays ?? Number.POSITIVE_INFINITY
}

function webhooksOf(plan: PlanOffer): number {
  return plan.grants.includes('webhooks') ? plan.webhooksMax : 0
}

function priceHistory({ priceHistoryDays }: PlanOffer): string {
  return priceHistoryDays === null ? 'All' : `${number.format(priceHistoryDays)}\u00A0days`
}

function granted(grant: string, extent: (plan: PlanOffer) => string): Offer['extent'] {
  return (plan) => (plan.grants.includes(grant) ? extent(plan) : undefined)
}

/** The request that was pending at the last poll, if an operator has decided it since. */
export function findDecision(
  waitingId: string | undefined,
  requests: readonly PlanRequest[],
): PlanRequest | undefined {
  const request = requests.find(({ id }) => id === waitingId)
  return request?.status === 'granted' || request?.status === 'declined' ? request : undefined
}
