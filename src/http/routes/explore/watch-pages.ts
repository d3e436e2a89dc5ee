// Sends the pages of single watches: one watch with its prices as far back as the visitor's plan allows, or a few
// side by side.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  cannotComparePage,
  comparedMax,
  comparePage,
  wrongCount,
} from '../../../../web/pages/explore/compare.ts'
import type { PricesHidden, PricesView } from '../../../../web/pages/explore/explore-data.ts'
import { watchPage } from '../../../../web/pages/explore/watch-page.ts'
import { hasGrant, type Plan, type PlanName, planNames, plans } from '../../../access/plans/plans.ts'
import { today } from '../../../catalogue/days.ts'
import type { Clock } from '../../../clock.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { splitQuery } from '../../../search/query/query-string.ts'
import type { Reader } from '../../../storage/database.ts'
import { type PageParts, sendPage } from '../../pages/page.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'
import { readHistoryOn } from '../prices.ts'
import { findWatch } from '../watches.ts'
import { isId, tickedName } from './address.ts'
import { everyWatch } from './list.ts'
import { sendMissing } from './queried.ts'
import { findTicked, tailOf } from './ticked.ts'
import { compareAddress, compareWatches, describeWatch } from './watch.ts'

export interface ExploreParts {
  readonly pages: PageParts
  readonly index: () => WatchIndex
  readonly reader: Reader
  readonly clock: Clock
}

export function sendWatch(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ExploreParts,
  id: string,
): Promise<FastifyReply> {
  const { pages } = parts
  const index = parts.index()
  const ordinal = findWatch(index, id)
  if (ordinal === undefined) {
    const action = { text: 'Explore the catalogue', href: everyWatch.path }
    return sendMissing(request, reply, pages, 'There is no such watch', action)
  }
  const watch = describeWatch(index, ordinal, findTicked(index, rawQueryOf(request)))
  return sendPage(request, reply, pages, async (site, signedIn) => {
    const prices = await readPrices(parts, watch.row.id, signedIn?.plan)
    return watchPage(site, { baseUrl: pages.baseUrl, watch, prices })
  })
}

export function sendComparison(
  request: FastifyRequest,
  reply: FastifyReply,
  { pages, index }: ExploreParts,
): FastifyReply | Promise<FastifyReply> {
  // Browsers send ticked boxes as separate parameters, under the name they have in every list.
  const given = splitQuery(rawQueryOf(request), ['ids', tickedName])
  const items = given.flatMap(({ value }) => value.split(','))
  const ids = [...new Set(items.filter((item) => item !== ''))]
  const fault = findFault(ids)
  if (fault !== undefined) {
    const tail = tailOf(ids.filter(isId).map(Number))
    return sendPage(request, reply.code(422), pages, (site) => cannotComparePage(site, fault, tail))
  }
  const numbers = ids.map(Number)
  const isPlain = given.length === 1 && given[0]?.name === 'ids' && ids.length === items.length
  if (!isPlain) return reply.redirect(compareAddress(numbers), 303)
  const view = compareWatches(index(), numbers)
  return sendPage(request, reply, pages, (site) => comparePage(site, pages.baseUrl, view))
}

function findFault(ids: readonly string[]): string | undefined {
  if (ids.length === 0 || ids.length > comparedMax) return wrongCount(ids.length)
  return ids.every(isId) ? undefined : 'The ids must be positive integers separated by commas.'
}

/** Applies the same plan rules as the API; a visitor without an account has no plan. */
async function readPrices(
  parts: ExploreParts,
  watchId: number,
  plan: PlanName | undefined,
): Promise<PricesView | PricesHidden> {
  if (plan === undefined || !hasGrant(plan, 'prices')) {
    const having = planNames.filter((name) => hasGrant(name, 'prices')).map((name): Plan => plans[name])
    return { plans: having.map(({ name, priceHistoryDays: days }) => ({ name, days })) }
  }
  const { lines, change_30d, change_365d } = await readHistoryOn(plan, parts, watchId)
  const { priceHistoryDays: days }: Plan = plans[plan]
  return { lines, change30d: change_30d, change365d: change_365d, days, today: today(parts.clock) }
}
