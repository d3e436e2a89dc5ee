// Serves /api/auth, which only the pages of this service use: sign-in and everything around it. Converts between
// Fastify and the Request and Response objects of the session code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authPath, type Sessions } from '../../access/sign-in/sessions.ts'
import { watchMethods } from '../pages/methods.ts'
import { refuseForeigners, visitorHeaders } from '../pages/visitor.ts'

export function authRoutes(app: FastifyInstance, sessions: Sessions, baseUrl: string): void {
  app.register(async (auth) => {
    refuseForeigners(auth, baseUrl)
    const refuseOtherMethods = watchMethods(auth)
    auth.route({
      method: ['GET', 'POST'],
      url: `${authPath}/*`,
      // Programs inspect the links in emails with HEAD: only GET may follow them.
      exposeHeadRoute: false,
      handler: async (request, reply) =>
        sendResponse(reply, await sessions.handle(toRequest(request, baseUrl))),
    })
    refuseOtherMethods()
  })
}

function toRequest(request: FastifyRequest, baseUrl: string): Request {
  const { method, url, body } = request
  const { origin } = new URL(baseUrl)
  const headers = visitorHeaders(request, baseUrl)
  if (method === 'GET') return new Request(origin + url, { headers })
  return new Request(origin + url, { method, headers, body: JSON.stringify(body ?? {}) })
}

async function sendResponse(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  const location = answer.headers.get('location')
  if (location !== null) return reply.code(answer.status).header('location', location).send()
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(await answer.text())
}
