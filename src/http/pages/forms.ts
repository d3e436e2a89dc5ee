// Handles HTML forms sent without a script: parses their fields, refuses forms of other sites, passes them on to the
// session endpoints, and shows a page that links back to the form after too many attempts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Attempt, refusedPage, tooManyPage } from '../../../web/pages/sign-in/form.ts'
import { withNext } from '../../../web/pages/sign-in/sign-in.ts'
import { authPath } from '../../access/sign-in/sessions.ts'
import { Problem, problems } from '../../errors.ts'
import { watchMethods } from './methods.ts'
import { parseNext } from './next-path.ts'
import { type PageParts, sendPage } from './page.ts'
import { refuseForeigners, visitorHeaders } from './visitor.ts'

export type Fields = Readonly<Record<string, string>>
/** A route whose body is a form, or empty. */
export type FormRoute = { Body: Fields | undefined }

/** Registers the routes that `add` adds as pages with forms. */
export function formRoutes(
  app: FastifyInstance,
  pages: PageParts,
  add: (forms: FastifyInstance) => void,
): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    refuseForeigners(forms, pages.baseUrl, (request, reply, message) =>
      sendPage(request, reply, pages, (site) => refusedPage(site, message)),
    )
    forms.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Problem) || error.code !== 'too_many_requests') throw error
      const { headers = {} } = error.details
      reply.code(problems.too_many_requests.status).headers(headers)
      return sendPage(request, reply, pages, (site) =>
        tooManyPage(site, Number(headers['retry-after']), formOf(request)),
      )
    })
    const refuseOtherMethods = watchMethods(forms)
    add(forms)
    refuseOtherMethods()
  })
}

/** The URL of the form; undefined for a form opened by a one-time link, whose token must not be repeated in a URL. */
function formOf({ body, routeOptions: { url } }: FastifyRequest): string | undefined {
  const { token, next } = (body ?? {}) as Fields
  return token === undefined && url !== undefined ? withNext(url, parseNext(next)) : undefined
}

/** Calls the session endpoint `path` under /api/auth on behalf of the visitor that sent the form. */
export function askSessions(
  request: FastifyRequest,
  { sessions, baseUrl }: PageParts,
  path: string,
  fields: Fields,
): Promise<Response> {
  const url = `${new URL(baseUrl).origin}${authPath}${path}`
  const headers = visitorHeaders(request, baseUrl)
  return sessions.handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(fields) }))
}

/** Returns the result of `work`, or the errors of the form's fields. Throws any error that a visitor cannot fix. */
export async function attempt<T>(work: () => Promise<T>, values: Fields): Promise<T | Attempt> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { values, errors: error.details.errors ?? {} }
  }
}

export function parameterOf({ url }: FastifyRequest, name: string): string | undefined {
  return new URLSearchParams(url.split('?')[1] ?? '').get(name) ?? undefined
}

/** Copies the cookies of `answer` to the reply, and redirects to `next`, which must be a path of this service. */
export function sendOn(reply: FastifyReply, answer: Response, next: string): FastifyReply {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.redirect(next, 303)
}
