// Serves /setup and /reset-password, the pages that one-time links lead to, and /forgot-password, which requests such
// a link.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  askedPage,
  deadLinkPage,
  forgotPage,
  passwordSavedPage,
  resetPage,
  setupPage,
} from '../../../web/pages/sign-in/choose-password.ts'
import type { Attempt } from '../../../web/pages/sign-in/form.ts'
import { isSetupToken } from '../../access/accounts/setup-link.ts'
import type { Reader } from '../../storage/database.ts'
import { askSessions, attempt, type FormRoute, formRoutes, parameterOf, sendOn } from '../pages/forms.ts'
import { type PageParts, sendPage } from '../pages/page.ts'
import { visitorHeaders } from '../pages/visitor.ts'

export function choosePasswordRoutes(app: FastifyInstance, pages: PageParts, reader: Reader): void {
  formRoutes(app, pages, (forms) => {
    // The URL contains a token, so only the origin is sent as referrer. The origin is needed: without it browsers
    // send forms with `Origin: null`.
    forms.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('referrer-policy', 'strict-origin'),
    )
    setupRoutes(forms, pages, reader)
    resetRoutes(forms, pages)
    forgotRoutes(forms, pages)
  })
}

function setupRoutes(forms: FastifyInstance, pages: PageParts, reader: Reader): void {
  const { sessions, baseUrl } = pages
  forms.get('/setup', async (request, reply) => {
    const token = parameterOf(request, 'token') ?? ''
    return (await isSetupToken(reader, token))
      ? sendPage(request, reply, pages, (site) => setupPage(site, token))
      : sendDeadLink(request, reply, pages)
  })
  forms.post<FormRoute>('/setup', async (request, reply) => {
    const { token = '', ...draft } = request.body ?? {}
    if (!(await isSetupToken(reader, token))) return sendDeadLink(request, reply, pages)
    const { email = '', name = '', password = '' } = draft
    const make = () =>
      sessions.createFirstOperator({ email, name, password }, visitorHeaders(request, baseUrl))
    const made = await attempt(make, draft)
    if (made instanceof Response) return sendOn(reply, made, '/dashboard')
    return made === undefined
      ? sendDeadLink(request, reply, pages)
      : sendPage(request, reply.code(422), pages, (site) => setupPage(site, token, made))
  })
}

function resetRoutes(forms: FastifyInstance, pages: PageParts): void {
  forms.get('/reset-password', async (request, reply) => {
    const token = parameterOf(request, 'token') ?? ''
    const isGood = token !== '' && (await pages.sessions.isResetToken(token))
    return isGood
      ? sendPage(request, reply, pages, (site) => resetPage(site, token))
      : sendDeadLink(request, reply, pages)
  })
  forms.post<FormRoute>('/reset-password', async (request, reply) => {
    const { token = '', password = '' } = request.body ?? {}
    const save = () => askSessions(request, pages, '/reset-password', { token, newPassword: password })
    const saved = await attempt(save, {})
    if (saved instanceof Response) {
      return saved.ok
        ? sendPage(request, reply, pages, passwordSavedPage)
        : sendDeadLink(request, reply, pages)
    }
    if (saved.errors.token !== undefined) return sendDeadLink(request, reply, pages)
    return sendPage(request, reply.code(422), pages, (site) => resetPage(site, token, renamed(saved)))
  })
}

/** Renames the errors of `newPassword`, as the session endpoint calls the field, to `password`. */
function renamed({ errors: { newPassword = [], ...errors } }: Attempt): Attempt {
  const password = newPassword.map((text) => text.replace('new password', 'password'))
  return { values: {}, errors: { ...errors, password } }
}

function forgotRoutes(forms: FastifyInstance, pages: PageParts): void {
  const { sendsEmail } = pages.sessions
  forms.get('/forgot-password', (request, reply) =>
    sendPage(request, reply, pages, (site) => forgotPage(site, sendsEmail)),
  )
  forms.post<FormRoute>('/forgot-password', async (request, reply) => {
    const { email = '' } = request.body ?? {}
    const asked = await attempt(() => askSessions(request, pages, '/request-password-reset', { email }), {
      email,
    })
    return asked instanceof Response
      ? sendPage(request, reply, pages, (site) => askedPage(site, sendsEmail))
      : sendPage(request, reply.code(422), pages, (site) => forgotPage(site, sendsEmail, asked))
  })
}

function sendDeadLink(request: FastifyRequest, reply: FastifyReply, pages: PageParts): Promise<FastifyReply> {
  return sendPage(request, reply.code(410), pages, deadLinkPage)
}
