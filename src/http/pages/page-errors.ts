// Sends errors outside the API: an HTML page to browsers, JSON to programs, with the same status and headers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorPage } from '../../../web/pages/error-page.ts'
import { dayOfViewsPage, tooManyViewsPage } from '../../../web/pages/explore/explore-refused.ts'
import { DayLimitReached } from '../../access/plans/attempt-limits.ts'
import { type Problem, problems } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { answerProblem, guardRetrySeconds, headersOf, tellProblem, tooMany } from '../api/problems.ts'
import { findVisitor, type PageParts, sendPage } from './page.ts'

/** Paths that only programs request, with everything below them. */
const programPaths = ['/api', '/openapi.json', '/healthz', '/readyz', '/metrics', '/assets']

export async function answerPageError(
  log: Log,
  pages: PageParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const problem = tellProblem(log, error, request.raw, request.id)
  try {
    if (wantsPage(request)) return await sendProblemPage(request, reply, pages, problem)
    answerProblem(problem, reply)
  } catch (failure) {
    answerProblem(tellProblem(log, failure, request.raw, request.id), reply)
  }
  return reply
}

/** Refuses a request of an address that sends too many: a rendered page for each would be work that the limit avoids. */
export function refuseBriefly(request: FastifyRequest, reply: FastifyReply): void {
  const problem = tooMany(guardRetrySeconds)
  if (!wantsPage(request)) answerProblem(problem, reply)
  else {
    const text = 'Too many requests come from your network. Wait a second, then reload the page.\n'
    reply
      .code(problems[problem.code].status)
      .headers(headersOf(problem))
      .type('text/plain; charset=utf-8')
      .send(text)
  }
}

function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageParts,
  problem: Problem,
): Promise<FastifyReply> {
  const { status, message } = problems[problem.code]
  const headers = headersOf(problem)
  const seconds = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after'])
  // After a fault of the service the session is not looked up: the lookup may fail too. The page is rendered as for a
  // signed-out visitor.
  const visitor = status >= 500 ? Promise.resolve(undefined) : findVisitor(request, pages)
  return sendPage(
    request,
    reply.code(status).headers(headers),
    pages,
    (site) => {
      if (problem instanceof DayLimitReached) return dayOfViewsPage(site, seconds ?? 1)
      if (problem.code === 'too_many_requests') return tooManyViewsPage(site, seconds ?? 1)
      return errorPage(site, { status, message, seconds, requestId: request.id })
    },
    visitor.catch(() => undefined),
  )
}

function wantsPage({ url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?')
  const isPrograms = programPaths.some((one) => path === one || path.startsWith(`${one}/`))
  return !isPrograms && (headers.accept?.includes('text/html') ?? false)
}
