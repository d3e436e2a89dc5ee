// In charge of the table of plans, which the front page and the docs page show: what each plan has, and which of it is
// still to come.

import { table } from './block.ts'
import { formatNumber, formatUsd } from './format.ts'
import { type Child, type Html, html } from './html.ts'
import type { Plan } from './instance.ts'

interface Offer {
  readonly grant: string
  readonly name: string
  /** It has its place in the plans, and no answers yet. A test compares this with the routes. */
  readonly isComing: boolean
  /** What a plan with the grant has of it. */
  readonly extent: (plan: Plan) => Child
}

export const offers: readonly Offer[] = [
  { grant: 'catalogue', name: 'Watches, brands, specs', isComing: false, extent: () => 'Yes' },
  { grant: 'prices', name: 'Price history', isComing: false, extent: priceHistory },
  { grant: 'changes', name: 'Change feed', isComing: true, extent: () => 'Yes' },
  {
    grant: 'webhooks',
    name: 'Webhooks',
    isComing: true,
    extent: ({ webhooksMax }) => formatNumber(webhooksMax),
  },
  { grant: 'export', name: 'Export', isComing: true, extent: () => 'Yes' },
]

export function plansTable(plans: readonly Plan[]): Html {
  const rows: Child[][] = [
    ['Requests per day', ...plans.map(({ requestsPerDay }) => formatNumber(requestsPerDay))],
    ['Price per month', ...plans.map(({ usdPerMonth }) => formatUsd(usdPerMonth))],
    ...offers.map((offer) => [heading(offer), ...plans.map((plan) => extentOf(offer, plan))]),
  ]
  const columns = ['Plan', ...plans.map(({ name }) => name)].map((name) => ({ name }))
  return html`<div class="plans">${table('Plans', columns, rows)}</div>`
}

/** Said in words too, or a price would be asked for what is not there. */
export function comingNote(): Html {
  const names = offers.filter(({ isComing }) => isComing).map(({ name }) => name.toLowerCase())
  if (names.length === 0) return html``
  return html`<p class="note">Coming, and without answers in this version: ${listFormat.format(names)}.</p>`
}

/** British, for the comma that it leaves out. */
const listFormat = new Intl.ListFormat('en-GB')

function heading({ name, isComing }: Offer): Child {
  return html`${name}${isComing && html`<span class="kind">coming</span>`}`
}

function extentOf({ grant, extent }: Offer, plan: Plan): Child {
  return plan.grants.includes(grant) ? extent(plan) : html`<span class="lacking">No</span>`
}

function priceHistory({ priceHistoryDays }: Plan): Child {
  return priceHistoryDays === undefined ? 'All' : `${formatNumber(priceHistoryDays)} days`
}
