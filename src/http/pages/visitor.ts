// In charge of who visits with a browser: what sessions are told of the request, and that a request which changes
// something comes from our own pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressHeader } from '../../access/sign-in/sessions.ts'

/** What is passed on; whatever else a client sends, a header of ours among it, is not. */
const passedHeaders = ['cookie', 'user-agent'] as const
const headerMaxLength = 8_192
const agentMaxLength = 512
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']
const safeMethods = new Set(['GET', 'HEAD'])

/** Who asks, as far as sessions must know it. */
export function visitorHeaders({ headers, ip }: FastifyRequest, baseUrl: string): Headers {
  // Checked before, so it is one of ours; by which name the browser reached us is of no interest.
  const passed = new Headers({ [addressHeader]: ip, origin: new URL(baseUrl).origin })
  for (const name of passedHeaders) {
    const value = headers[name]
    const maxLength = name === 'user-agent' ? agentMaxLength : headerMaxLength
    if (value !== undefined) passed.set(name, value.slice(0, maxLength))
  }
  return passed
}

type Refuse = (request: FastifyRequest, reply: FastifyReply, message: string) => unknown

/** Refuses what a page of another site sends; a program that is no browser sends neither header. */
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

/** On this machine itself it has several names, and people use them all. */
export function ownOrigins(baseUrl: string): readonly string[] {
  const { origin, protocol, port, hostname } = new URL(baseUrl)
  if (!loopbackNames.includes(hostname)) return [origin]
  return loopbackNames.map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}
