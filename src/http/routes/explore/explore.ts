// Serves /explore and everything below it: the catalogue as web pages. It is open to anyone, within the limits of
// `page-rate-limit` and `reach`. The query is that of the API, and so are its errors; prices go as far back as the
// visitor's plan.
import type { FastifyInstance } from 'fastify'
import { brandPage } from '../../../../web/pages/explore/brand-page.ts'
import { brandsPage } from '../../../../web/pages/explore/brand-pages.ts'
import {
  cannotComparePage,
  comparedMax,
  comparePage,
  wrongCount,
} from '../../../../web/pages/explore/compare.ts'
import { explorePage } from '../../../../web/pages/explore/explore.ts'
import type { PricesHidden, PricesView } from '../../../../web/pages/explore/explore-data.ts'
import { watchPage } from '../../../../web/pages/explore/watch-page.ts'
import { hasGrant, type Plan, type PlanName, planNames, plans } from '../../../access/plans/plans.ts'
import { today } from '../../../catalogue/days.ts'
import type { Clock } from '../../../clock.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { splitQuery } from '../../../search/query/query-string.ts'
import { Semaphore } from '../../../semaphore.ts'
import type { Reader } from '../../../storage/database.ts'
import { readHistoryOn } from '../../operations/prices.ts'
import { findOrdinal } from '../../operations/watches.ts'
import { watchMethods } from '../../pages/methods.ts'
import { callerOf, type PageParts, sendPage } from '../../pages/page.ts'
import { admitView, type PageGuard } from '../../pages/page-rate-limit.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'
import { isId, tickedName } from './address.ts'
import { brandsPath, makeBrandsView, makeBrandView } from './brands.ts'
import { brandAddress, everyWatch, makeListView } from './list.ts'
import { sendMissing, sendQueried } from './queried.ts'
import { suggestRoute } from './suggest.ts'
import { findTicked, tailOf } from './ticked.ts'
import { compareAddress, compareWatches, describeWatch } from './watch.ts'

interface ExploreParts {
  readonly pages: PageParts
  readonly index: () => WatchIndex
  readonly reader: Reader
  readonly clock: Clock
}

/**
 * Lists that are made at the same time. Each is a few milliseconds of counting, so more at once would make none of them
 * ready sooner: they would only hold their memory for longer.
 */
const listLimits = { permits: 4, waitingMax: 1_000 }

export function exploreRoutes(app: FastifyInstance, parts: ExploreParts, views: PageGuard): void {
  suggestRoute(app, parts.index, views)
  app.register(async (explorer) => {
    explorer.addHook('onRequest', (request) => admitView(views, request, parts.pages))
    const refuseOtherMethods = watchMethods(explorer)
    listRoutes(explorer, parts)
    watchRoute(explorer, parts)
    compareRoute(explorer, parts)
    refuseOtherMethods()
  })
}

function listRoutes(app: FastifyInstance, { pages, index: current }: ExploreParts): void {
  const { baseUrl } = pages
  const lists = new Semaphore(listLimits)
  app.get('/explore', (request, reply) =>
    sendQueried(request, reply, pages, everyWatch, async (rawQuery, pagesMax) => {
      const view = await makeListView(current(), everyWatch, rawQuery, {
        pagesMax,
        caller: callerOf(request),
        lists,
      })
      const index = current()
      const data = { baseUrl, watches: index.size, brands: index.brands.rows.length }
      return (site) => explorePage(site, data, view)
    }),
  )
  app.get(brandsPath, (request, reply) =>
    sendQueried(request, reply, pages, { path: brandsPath, apiPath: '/brands' }, (rawQuery, pagesMax) => {
      const view = makeBrandsView(current(), rawQuery, pagesMax)
      return (site) => brandsPage(site, baseUrl, view)
    }),
  )
  app.get<{ Params: { brand: string } }>('/explore/brands/:brand', (request, reply) => {
    const index = current()
    const row = index.brands.findByPath(request.params.brand)
    if (row === undefined) {
      const action = { text: 'See all brands', href: brandsPath }
      return sendMissing(request, reply, pages, 'There is no such brand', action)
    }
    const path = brandAddress(row.slug)
    const whose = { path, apiPath: path.replace('/explore', '').concat('/watches'), brandId: row.id }
    return sendQueried(request, reply, pages, whose, async (rawQuery, pagesMax) => {
      const view = await makeListView(current(), whose, rawQuery, {
        pagesMax,
        caller: callerOf(request),
        lists,
      })
      return (site) => brandPage(site, baseUrl, makeBrandView(current(), row), view)
    })
  })
}

function watchRoute(app: FastifyInstance, parts: ExploreParts): void {
  const { pages } = parts
  app.get<{ Params: { id: string } }>('/explore/watches/:id', (request, reply) => {
    const index = parts.index()
    const ordinal = findOrdinal(index, request.params.id)
    if (ordinal === undefined) {
      const action = { text: 'Explore the catalogue', href: everyWatch.path }
      return sendMissing(request, reply, pages, 'There is no such watch', action)
    }
    const watch = describeWatch(index, ordinal, findTicked(index, rawQueryOf(request)))
    return sendPage(request, reply, pages, async (site, signedIn) => {
      const prices = await readPrices(parts, watch.row.id, signedIn?.plan)
      return watchPage(site, { baseUrl: pages.baseUrl, watch, prices })
    })
  })
}

function compareRoute(app: FastifyInstance, { pages, index }: ExploreParts): void {
  app.get('/explore/compare', (request, reply) => {
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
  })
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
