// /setup and /reset-password: the pages that links lead to, and what their forms send.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Attempt,
  deadLinkPage,
  operatorMadePage,
  passwordSavedPage,
  refusedPage,
  resetPage,
  setupPage,
} from '../../../web/pages/choose-password.ts'
import { authPath, type Sessions } from '../../access/sessions.ts'
import { isSetupToken } from '../../access/setup-link.ts'
import { Problem, problems } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { watchMethods } from '../methods.ts'
import { refuseForeigners, visitorHeaders } from '../visitor.ts'
import { sendPage } from './pages.ts'

type Fields = Readonly<Record<string, string>>

export function choosePasswordRoutes(
  app: FastifyInstance,
  sessions: Sessions,
  reader: Reader,
  baseUrl: string,
): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parseForm)
    refuseForeigners(forms, baseUrl)
    forms.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Problem)) throw error
      const { status, message } = problems[error.code]
      return sendPage(reply.code(status).headers(error.details.headers ?? {}), refusedPage(message))
    })
    const refuseOtherMethods = watchMethods(forms)

    forms.get('/setup', async (request, reply) => {
      const token = tokenOf(request)
      return (await isSetupToken(reader, token)) ? sendPage(reply, setupPage(token)) : sendDeadLink(reply)
    })
    forms.post<{ Body: Fields | undefined }>('/setup', async (request, reply) => {
      const { token = '', ...draft } = request.body ?? {}
      if (!(await isSetupToken(reader, token))) return sendDeadLink(reply)
      const { email = '', name = '', password = '' } = draft
      const make = () =>
        sessions.createFirstOperator({ email, name, password }, visitorHeaders(request, baseUrl))
      const made = await attempt(make, draft)
      if (made instanceof Response) return sendMade(reply, made, email)
      return made === undefined ? sendDeadLink(reply) : sendPage(reply.code(422), setupPage(token, made))
    })

    forms.get('/reset-password', async (request, reply) => {
      const token = tokenOf(request)
      const isGood = token !== '' && (await sessions.isResetToken(token))
      return isGood ? sendPage(reply, resetPage(token)) : sendDeadLink(reply)
    })
    forms.post<{ Body: Fields | undefined }>('/reset-password', async (request, reply) => {
      const { token = '', password = '' } = request.body ?? {}
      const body = JSON.stringify({ token, newPassword: password })
      const headers = visitorHeaders(request, baseUrl)
      const asked = new Request(`${new URL(baseUrl).origin}${authPath}/reset-password`, {
        method: 'POST',
        headers,
        body,
      })
      const saved = await attempt(() => sessions.handle(asked), {})
      if (!(saved instanceof Response)) {
        if (saved.errors.token !== undefined) return sendDeadLink(reply)
        return sendPage(reply.code(422), resetPage(token, renamed(saved)))
      }
      return saved.ok ? sendPage(reply, passwordSavedPage()) : sendDeadLink(reply)
    })
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

function tokenOf({ url }: FastifyRequest): string {
  return new URLSearchParams(url.split('?')[1] ?? '').get('token') ?? ''
}

/** What came of it, or what is wrong with the fields; any other problem is nobody's to mend here. */
async function attempt<T>(work: () => Promise<T>, values: Fields): Promise<T | Attempt> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return { values, errors: error.details.errors ?? {} }
  }
}

/** The API calls the field by its longer name. */
function renamed({ errors: { newPassword = [], ...errors } }: Attempt): Attempt {
  const password = newPassword.map((text) => text.replace('new password', 'password'))
  return { values: {}, errors: { ...errors, password } }
}

function sendMade(reply: FastifyReply, made: Response, email: string): FastifyReply {
  return sendPage(reply.header('set-cookie', made.headers.getSetCookie()), operatorMadePage(email))
}

function sendDeadLink(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(410), deadLinkPage())
}
