// Renders the table of plans, which the home page and the docs page show: what each plan includes.

import { table } from './layout/block.ts'
import { formatNumber, formatUsd } from './layout/format.ts'
import { type Child, type Html, html } from './layout/html.ts'
import type { Plan } from './layout/instance.ts'

interface Offer {
  readonly grant: string
  readonly name: string
  /** The cell of a plan that has the grant. */
  readonly extent: (plan: Plan) => Child
}

const offers: readonly Offer[] = [
  { grant: 'catalogue', name: 'Watches, brands, specs', extent: () => 'Yes' },
  { grant: 'prices', name: 'Price history', extent: priceHistory },
  { grant: 'changes', name: 'Change feed', extent: () => 'Yes' },
  {
    grant: 'webhooks',
    name: 'Webhooks',
    extent: ({ webhooksMax }) => formatNumber(webhooksMax),
  },
  { grant: 'export', name: 'Export', extent: () => 'Yes' },
  { grant: 'resolve', name: 'Resolve 100 texts at once', extent: () => 'Yes' },
]

export function plansTable(plans: readonly Plan[]): Html {
  const rows: Child[][] = [
    ['Requests per day', ...plans.map(({ requestsPerDay }) => formatNumber(requestsPerDay))],
    ['Price per month', ...plans.map(({ usdPerMonth }) => formatUsd(usdPerMonth))],
    ...offers.map((offer) => [offer.name, ...plans.map((plan) => extentOf(offer, plan))]),
  ]
  const columns = ['Plan', ...plans.map(({ name }) => name)].map((name) => ({ name }))
  return html`<div class="plans">${table('Plans', columns, rows)}</div>`
}

function extentOf({ grant, extent }: Offer, plan: Plan): Child {
  return plan.grants.includes(grant) ? extent(plan) : html`<span class="lacking">No</span>`
}

function priceHistory({ priceHistoryDays }: Plan): Child {
  return priceHistoryDays === undefined ? 'All' : `${formatNumber(priceHistoryDays)}\u00A0days`
}
