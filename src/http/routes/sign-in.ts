// Serves /sign-in (password), /sign-in/code (second factor) and /sign-out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Attempt } from '../../../web/pages/sign-in/form.ts'
import {
  codePage,
  signInPage,
  signOutPage,
  unconfirmedPage,
  withNext,
} from '../../../web/pages/sign-in/sign-in.ts'
import { askSessions, attempt, type FormRoute, formRoutes, parameterOf, sendOn } from '../pages/forms.ts'
import { parseNext } from '../pages/next-path.ts'
import { findVisitor, type PageParts, sendPage } from '../pages/page.ts'
import { visitorHeaders } from '../pages/visitor.ts'

/** The fields used from a response of the session endpoints. `code` is set on errors. */
interface Told {
  readonly twoFactorRedirect?: boolean
  readonly code?: string
  readonly message?: string
}

/** The redirect target where no `next` is given. */
const home = '/dashboard'
/** Error codes after which the sign-in starts again with the password. */
const endedCodes = new Set(['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'])

export function signInRoutes(app: FastifyInstance, pages: PageParts): void {
  formRoutes(app, pages, (forms) => {
    passwordRoutes(forms, pages)
    codeRoutes(forms, pages)
    signOutRoutes(forms, pages)
  })
}

function passwordRoutes(forms: FastifyInstance, pages: PageParts): void {
  forms.get('/sign-in', async (request, reply) => {
    const next = parseNext(parameterOf(request, 'next'))
    if ((await findVisitor(request, pages)) !== undefined) return reply.redirect(next ?? home, 303)
    const isConfirmed = parameterOf(request, 'confirmed') !== undefined
    return sendPage(request, reply, pages, (site) => signInPage(site, { next, isConfirmed }))
  })
  forms.post<FormRoute>('/sign-in', async (request, reply) => {
    const { email = '', password = '', next: asked } = request.body ?? {}
    const next = parseNext(asked)
    const ask = () => askSessions(request, pages, '/sign-in/email', { email, password })
    const answer = await attempt(ask, { email })
    if (!(answer instanceof Response)) return sendSignIn(request, reply, pages, answer, next)
    const told = (await answer.json()) as Told
    if (told.twoFactorRedirect === true) return sendOn(reply, answer, withNext('/sign-in/code', next))
    if (answer.ok) return sendOn(reply, answer, next ?? home)
    if (told.code === 'EMAIL_NOT_VERIFIED') {
      return sendPage(request, reply.code(403), pages, (site) => unconfirmedPage(site, email))
    }
    const wrong = { values: { email }, errors: {}, message: told.message }
    return sendSignIn(request, reply, pages, wrong, next)
  })
}

function sendSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: PageParts,
  wrong: Attempt,
  next: string | undefined,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(422), pages, (site) => signInPage(site, { next, attempt: wrong }))
}

function codeRoutes(forms: FastifyInstance, pages: PageParts): void {
  const { sessions, baseUrl } = pages
  forms.get('/sign-in/code', async (request, reply) => {
    const next = parseNext(parameterOf(request, 'next'))
    if (!sessions.hasBegun(visitorHeaders(request, baseUrl))) {
      return reply.redirect(withNext('/sign-in', next), 303)
    }
    const isBackup = parameterOf(request, 'backup') !== undefined
    return sendPage(request, reply, pages, (site) => codePage(site, { next, isBackup }))
  })
  forms.post<FormRoute>('/sign-in/code', async (request, reply) => {
    const { code: typed = '', kind, next: asked } = request.body ?? {}
    const next = parseNext(asked)
    // Authenticators show the code as `123 456`.
    const code = typed.replaceAll(/\s/g, '')
    const path = /^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
    const answer = await attempt(() => askSessions(request, pages, path, { code }), {})
    const told = answer instanceof Response ? ((await answer.json()) as Told) : {}
    if (answer instanceof Response && answer.ok) return sendOn(reply, answer, next ?? home)
    if (told.code !== undefined && endedCodes.has(told.code)) {
      return sendSignIn(request, reply, pages, { values: {}, errors: {}, message: told.message }, next)
    }
    const wrong = answer instanceof Response ? { values: {}, errors: { code: [told.message ?? ''] } } : answer
    const isBackup = kind === 'backup'
    return sendPage(request, reply.code(422), pages, (site) =>
      codePage(site, { next, isBackup, attempt: wrong }),
    )
  })
}

function signOutRoutes(forms: FastifyInstance, pages: PageParts): void {
  forms.get('/sign-out', async (request, reply) => {
    if ((await findVisitor(request, pages)) === undefined) return reply.redirect('/', 303)
    return sendPage(request, reply, pages, signOutPage)
  })
  forms.post<FormRoute>('/sign-out', async (request, reply) => {
    const answer = await askSessions(request, pages, '/sign-out', {})
    // Also deletes an API key stored in a tab. Browsers obey the header on https and on localhost; the dashboard app
    // clears the key as well.
    return sendOn(reply.header('clear-site-data', '"storage"'), answer, '/')
  })
}
