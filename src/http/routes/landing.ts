// Serves the landing page with its live filter over the catalogue, which belongs to the explorer. The filter uses the
// query syntax of the API, so the URL holds the state of the page.
import type { FastifyInstance } from 'fastify'
import type { ShortList } from '../../../web/pages/explore/explore-data.ts'
import { type LiveFilter, liveFilter, liveNames } from '../../../web/pages/explore/live-filter.ts'
import { landingPage } from '../../../web/pages/landing.ts'
import type { Instance } from '../../../web/pages/layout/instance.ts'
import { type FieldErrors, Problem, problems } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { listValues } from '../../search/results/facets.ts'
import { callerOf, type PageParts, sendPage } from '../pages/page.ts'
import { admitView, type PageGuard } from '../pages/page-rate-limit.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { fieldOf, findCleanQuery, queryOf, readOr, readParts } from './explore/address.ts'
import { makeShortList } from './explore/list.ts'

export interface LandingParts {
  readonly pages: PageParts
  readonly views: PageGuard
  readonly index: () => WatchIndex
  readonly instance: () => Promise<Instance>
}

const shownMax = 4
const colorsMax = 12
const fields: readonly string[] = Object.values(liveNames)
/** The default query: it shows what the filter can do. */
const firstQuery = 'spec[water_resistance][gte]=10%20bar&spec[dial_color]=Blue'

export function landingRoute(app: FastifyInstance, { pages, views, index, instance }: LandingParts): void {
  app.get('/', async (request, reply) => {
    if (pages.explorer === 'off') {
      const data = await instance()
      return sendPage(request, reply, pages, (site) => landingPage(site, data, undefined))
    }
    const rawQuery = rawQueryOf(request)
    // A query searches the catalogue like a page of the explorer, so it counts as a view. The plain page does not.
    if (rawQuery !== '') await admitView(views, request, pages)
    // The errors of a malformed query are shown below.
    const clean = readOr(undefined, () => findCleanQuery(rawQuery))
    if (clean !== undefined) return reply.redirect(clean === '' ? '/' : `/?${clean}`, 303)
    const filter = await describe(index(), callerOf(request), rawQuery)
    const data = await instance()
    if (filter.list === undefined) reply.code(problems.invalid.status)
    return sendPage(request, reply, pages, (site) =>
      landingPage(site, data, liveFilter(pages.baseUrl, filter)),
    )
  })
}

async function describe(index: WatchIndex, caller: string, rawQuery: string): Promise<LiveFilter> {
  // The part of the query that the form's fields can express; other parameters belong to the explorer.
  const asked = readOr('', () =>
    queryOf(readParts(rawQuery).filter((part) => fields.includes(fieldOf(part)))),
  )
  const query = asked === '' ? firstQuery : asked
  const given = new URLSearchParams(query)
  const values = Object.fromEntries(fields.map((name) => [name, given.get(name) ?? '']))
  const { values: counted } = listValues(index, 'dial_color', 0, colorsMax)
  const colors = counted.map(({ value }) => String(value)).sort()
  return { values, colors, ...(await findList(index, caller, query)) }
}

async function findList(
  index: WatchIndex,
  caller: string,
  query: string,
): Promise<{ list: ShortList | undefined; errors: FieldErrors }> {
  try {
    return { list: await makeShortList(index, caller, query, shownMax), errors: {} }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { list: undefined, errors: error.details.errors ?? {} }
  }
}
