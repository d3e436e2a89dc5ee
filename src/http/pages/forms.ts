// In charge of forms as browsers send them without a script: how their fields are read, who may send them, what is asked
// of sessions for them, and that too many attempts are told on a page that leads back.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Attempt, refusedPage, tooManyPage } from '../../../web/pages/sign-in/form.ts'
import { withNext } from '../../../web/pages/sign-in/sign-in.ts'
import { authPath } from '../../access/sign-in/sessions.ts'
import { Problem, problems } from '../../errors.ts'
import { watchMethods } from '../api/methods.ts'
import { parseNext } from './next-path.ts'
import { type PageParts, sendPage } from './page.ts'
import { refuseForeigners, visitorHeaders } from './visitor.ts'

export type Fields = Readonly<Record<string, string>>
/** A route whose body is a form, or nothing. */
export type FormRoute = { Body: Fields | undefined }

/** Registers what `add` adds as pages with forms. */
export function formRoutes(
  app: FastifyInstance,
  pages: PageParts,
  add: (forms: FastifyInstance) => void,
): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parseForm)
    refuseForeigners(forms, pages.baseUrl, (request, reply, message) =>
      sendPage(request, reply, pages, (site) => refusedPage(site, message)),
    )
    forms.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Problem) || error.code !== 'too_many_requests') throw error
      return sendTooMany(request, reply, pages, error)
    })
    const refuseOtherMethods = watchMethods(forms)
    add(forms)
    refuseOtherMethods()
  })
}

function parseForm(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: null, fields: Fields) => void,
) {
  done(null, Object.fromEntries(new URLSearchParams(String(body))))
}

function sendTooMany(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageParts,
  { code, details: { headers = {} } }: Problem,
): Promise<FastifyReply> {
  const seconds = Number(headers['retry-after'])
  return sendPage(request, reply.code(problems[code].status).headers(headers), pages, (site) =>
    tooManyPage(site, seconds, formOf(request)),
  )
}

/** Where the form is found again: not where a link led to it, whose token is not told twice. */
function formOf({ body, routeOptions: { url } }: FastifyRequest): string | undefined {
  const { token, next } = (body ?? {}) as Fields
  return token === undefined && url !== undefined ? withNext(url, parseNext(next)) : undefined
}

/** What is answered under /api/auth, asked on behalf of who sent the form. */
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

/** What came of it, or what is wrong with the fields; any other problem is nobody's to mend here. */
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

/** Hands the cookies of the answer on, and sends the browser to `next`, which must be a path of ours. */
export function sendOn(reply: FastifyReply, answer: Response, next: string): FastifyReply {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.redirect(next, 303)
}
