// Sends pages that depend on a query: redirects a submitted form to its clean URL, shows an invalid query with the
// errors of the API and a link that removes each, and says where a list is longer than the visitor may look.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  invalidQueryPage,
  missingPage,
  tooDeepPage,
  type WrongField,
} from '../../../../web/pages/explore/explore-refused.ts'
import type { Site } from '../../../../web/pages/layout/site.ts'
import { type FieldErrors, Problem, problems } from '../../../errors.ts'
import { findVisitor, type PageParts, sendPage } from '../../pages/page.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'
import {
  addressOf,
  findCleanQuery,
  type Part,
  readLinks,
  readOr,
  readParts,
  readTicked,
  tickedParts,
  without,
} from './address.ts'
import type { Whose } from './list.ts'
import { TooDeep, TooManyRows, visitorPagesMax } from './reach.ts'

/** The page exists, but not for this visitor. */
const tooDeepStatus = 403

type Render = (site: Site) => string

/**
 * `make` parses the query, and is told how many pages of the list the visitor may open. The `invalid` problem or
 * `TooDeep` that it throws is shown on an error page.
 */
export async function sendQueried(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageParts,
  { path, apiPath }: Whose,
  make: (rawQuery: string, pagesMax: number) => Render | Promise<Render>,
): Promise<FastifyReply> {
  const rawQuery = rawQueryOf(request)
  try {
    const clean = findCleanQuery(rawQuery)
    if (clean !== undefined) return reply.redirect(clean === '' ? path : `${path}?${clean}`, 303)
    return sendPage(request, reply, pages, await make(rawQuery, await pagesMaxOf(request, pages)))
  } catch (error) {
    if (error instanceof TooDeep) {
      const call = addressOf(apiPath, readParts(rawQuery))
      const firstPage = addressOf(path, without(readLinks(rawQuery), 'page'))
      const list = { baseUrl: pages.baseUrl, call, firstPage, total: error.total, pagesMax: error.pagesMax }
      return sendPage(request, reply.code(tooDeepStatus), pages, (site) => tooDeepPage(site, list))
    }
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    const wrong = describeWrong(error.details.errors ?? {}, path, rawQuery)
    const startOver = addressOf(path, tickedParts(readTicked(rawQuery)))
    const refused = {
      baseUrl: pages.baseUrl,
      call: `${apiPath}?${rawQuery}`,
      isGoodCall: error instanceof TooManyRows,
      wrong,
      path: startOver,
    }
    return sendPage(request, reply.code(problems.invalid.status), pages, (site) =>
      invalidQueryPage(site, refused),
    )
  }
}

async function pagesMaxOf(request: FastifyRequest, pages: PageParts): Promise<number> {
  if (pages.explorer !== 'limited') return Number.POSITIVE_INFINITY
  return (await findVisitor(request, pages)) === undefined ? visitorPagesMax : Number.POSITIVE_INFINITY
}

function describeWrong(errors: FieldErrors, path: string, rawQuery: string): readonly WrongField[] {
  // A query that cannot be parsed has no parts to keep.
  const parts = readOr([], () => readLinks(rawQuery))
  return Object.entries(errors).map(([field, sentences]) => {
    const others = parts.filter((part) => !isOf(part, field))
    const hrefWithout = others.length < parts.length ? addressOf(path, others) : undefined
    return { field, sentences, hrefWithout }
  })
}

function isOf({ name, path: [key = ''] }: Part, field: string): boolean {
  return field === name || (name === 'spec' && field === `spec.${key}`)
}

export function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageParts,
  title: string,
  action: { readonly text: string; readonly href: string },
): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), pages, (site) => missingPage(site, title, action))
}
