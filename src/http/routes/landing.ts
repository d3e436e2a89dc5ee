// Serves the landing page with its live filter over the catalogue. The filter uses the query syntax of the API, so
// the URL holds the state of the page.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ShortList } from '../../../web/pages/explore/explore-data.ts'
import { type LiveFilter, liveFilter, liveNames } from '../../../web/pages/explore/live-filter.ts'
import { landingPage } from '../../../web/pages/landing.ts'
import type { Instance } from '../../../web/pages/layout/instance.ts'
import { type FieldErrors, Problem, problems } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { listValues } from '../../search/results/facets.ts'
import { type PageParts, sendPage } from '../pages/page.ts'
import type { PageGuard } from '../pages/page-rate-limit.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { findCleanQuery, type Part, queryOf, readParts } from './explore/address.ts'
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
    // A query searches the catalogue like a page of the explorer, so it counts as a view. The plain page does not.
    if (rawQueryOf(request) !== '') views.admit(request.ip)
    const clean = findClean(request)
    if (clean !== undefined) return reply.redirect(clean === '' ? '/' : `/?${clean}`, 303)
    const filter = describe(index(), rawQueryOf(request))
    const data = await instance()
    if (filter.list === undefined) reply.code(problems.invalid.status)
    return sendPage(request, reply, pages, (site) =>
      landingPage(site, data, liveFilter(pages.baseUrl, filter)),
    )
  })
}

function findClean(request: FastifyRequest): string | undefined {
  try {
    return findCleanQuery(rawQueryOf(request))
  } catch {
    // The query is malformed: its errors are shown below.
    return undefined
  }
}

function describe(index: WatchIndex, rawQuery: string): LiveFilter {
  const asked = takeFields(rawQuery)
  const query = asked === '' ? firstQuery : asked
  const values = valuesOf(query)
  const { values: counted } = listValues(index, 'dial_color', 0, colorsMax)
  const colors = counted.map(({ value }) => String(value)).sort()
  return { values, colors, ...findList(index, query) }
}

/** The part of the query that the form's fields can express; other parameters belong to the explorer. */
function takeFields(rawQuery: string): string {
  try {
    return queryOf(readParts(rawQuery).filter(isField))
  } catch {
    // The query is malformed or too long.
    return ''
  }
}

function isField({ name, path }: Part): boolean {
  return fields.includes(name + path.map((inner) => `[${inner}]`).join(''))
}

function findList(index: WatchIndex, query: string): { list: ShortList | undefined; errors: FieldErrors } {
  try {
    return { list: makeShortList(index, query, shownMax), errors: {} }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { list: undefined, errors: error.details.errors ?? {} }
  }
}

function valuesOf(query: string): Record<string, string> {
  const given = new URLSearchParams(query)
  return Object.fromEntries(fields.map((name) => [name, given.get(name) ?? '']))
}
