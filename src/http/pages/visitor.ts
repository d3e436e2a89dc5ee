// Handles requests of browsers: selects the headers that are passed to the session code, and refuses requests with
// side effects that come from pages of other sites.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressHeader } from '../../access/sign-in/sessions.ts'

const cookieMaxLength = 8_192
const agentMaxLength = 512
/** The only headers passed on, and the length to which each is cut. All others are dropped, our internal ones too. */
const passedHeaders = [
  ['cookie', cookieMaxLength],
  ['user-agent', agentMaxLength],
] as const
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']
const safeMethods = new Set(['GET', 'HEAD'])

/** The headers that identify the visitor to the session code. */
export function visitorHeaders({ headers, ip }: FastifyRequest, baseUrl: string): Headers {
  // The request's own origin was checked earlier; by which name the browser reached us does not matter here.
  const passed = new Headers({ [addressHeader]: ip, origin: new URL(baseUrl).origin })
  for (const [name, maxLength] of passedHeaders) {
    const value = headers[name]
    if (value !== undefined) passed.set(name, value.slice(0, maxLength))
  }
  return passed
}

type Refuse = (request: FastifyRequest, reply: FastifyReply, message: string) => unknown

/** Refuses requests from pages of other sites. A program that is not a browser sends neither header. */
export function refuseForeigners(
  app: FastifyInstance,
  baseUrl: string,
  refuse: Refuse = (_request, reply, message) => reply.send({ message }),
): void {
  const origins = ownOrigins(baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    if (safeMethods.has(request.method) || !isForeign(request, origins)) return
    const message = `This request came from another site than ${baseUrl}: open the page under that address, or set BASE_URL to yours.`
    return refuse(request, reply.code(403), message)
  })
}

export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, origins: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return headers.origin !== undefined && !origins.includes(headers.origin)
}

/** A loopback host has several names, and users use them all. */
export function ownOrigins(baseUrl: string): readonly string[] {
  const { origin, protocol, port, hostname } = new URL(baseUrl)
  if (!loopbackNames.includes(hostname)) return [origin]
  return loopbackNames.map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}
