// Serves /sign-up, which creates an account, and /sign-up/letter, which sends the confirmation email again.
import type { FastifyInstance } from 'fastify'
import {
  closedPage,
  emailPage,
  emailSentPage,
  signUpPage,
  tooManyAccounts,
} from '../../../web/pages/sign-in/sign-up.ts'
import { DayLimitReached } from '../../access/plans/attempt-limits.ts'
import { problems } from '../../errors.ts'
import { askSessions, attempt, type FormRoute, formRoutes, parameterOf, sendOn } from '../pages/forms.ts'
import { parseNext } from '../pages/next-path.ts'
import { findVisitor, type PageParts, sendPage } from '../pages/page.ts'

/** The dashboard page that shows the first key. */
const welcome = '/dashboard?welcome'

export function signUpRoutes(app: FastifyInstance, pages: PageParts): void {
  formRoutes(app, pages, (forms) => {
    accountRoutes(forms, pages)
    emailRoutes(forms, pages)
  })
}

function accountRoutes(forms: FastifyInstance, pages: PageParts): void {
  forms.get('/sign-up', async (request, reply) => {
    const next = parseNext(parameterOf(request, 'next'))
    if ((await findVisitor(request, pages)) !== undefined) return reply.redirect(next ?? '/dashboard', 303)
    return pages.isOpen
      ? sendPage(request, reply, pages, (site) => signUpPage(site, { next }))
      : sendPage(request, reply.code(404), pages, closedPage)
  })
  forms.post<FormRoute>('/sign-up', async (request, reply) => {
    if (!pages.isOpen) return sendPage(request, reply.code(404), pages, closedPage)
    const { name = '', email = '', password = '', next: asked } = request.body ?? {}
    const next = parseNext(asked)
    const ask = () => askSessions(request, pages, '/sign-up/email', { name, email, password })
    const answer = await attempt(ask, { name, email }).catch((error: unknown) => {
      if (error instanceof DayLimitReached) return error
      throw error
    })
    if (answer instanceof DayLimitReached) {
      const { headers = {} } = answer.details
      const message = tooManyAccounts(Number(headers['retry-after']))
      const refused = { values: { name, email }, errors: {}, message }
      reply.code(problems.too_many_requests.status).headers(headers)
      return sendPage(request, reply, pages, (site) => signUpPage(site, { next, attempt: refused }))
    }
    if (!(answer instanceof Response)) {
      return sendPage(request, reply.code(422), pages, (site) => signUpPage(site, { next, attempt: answer }))
    }
    if (answer.headers.getSetCookie().length > 0) return sendOn(reply, answer, next ?? welcome)
    if (answer.ok) return sendPage(request, reply, pages, (site) => emailSentPage(site, email.trim()))
    const { message } = (await answer.json()) as { message?: string }
    const wrong = { values: { name, email }, errors: {}, message }
    return sendPage(request, reply.code(422), pages, (site) => signUpPage(site, { next, attempt: wrong }))
  })
}

function emailRoutes(forms: FastifyInstance, pages: PageParts): void {
  forms.get('/sign-up/letter', (request, reply) => {
    const isExpired = parameterOf(request, 'expired') !== undefined
    return sendPage(request, reply.code(isExpired ? 410 : 200), pages, (site) => emailPage(site, isExpired))
  })
  forms.post<FormRoute>('/sign-up/letter', async (request, reply) => {
    const { email = '' } = request.body ?? {}
    const ask = () => askSessions(request, pages, '/send-verification-email', { email })
    const answer = await attempt(ask, { email })
    return answer instanceof Response
      ? sendPage(request, reply, pages, (site) => emailSentPage(site, email.trim(), true))
      : sendPage(request, reply.code(422), pages, (site) => emailPage(site, false, answer))
  })
}
