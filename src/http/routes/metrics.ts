// GET /metrics, for Prometheus: by token, or on a port of its own, or else from this machine alone.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { Handler } from '../listener.ts'

export function metricsRoute(app: FastifyInstance, metrics: Metrics, config: Config): void {
  app.get('/metrics', async (request, reply) => {
    if (config.metricsPort !== undefined) throw new Problem('not_found')
    if (!mayRead(request.raw, config)) {
      // Without a token there is nothing a caller from elsewhere could send, so nothing to be told of.
      if (config.metricsToken === undefined) throw new Problem('not_found')
      throw new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

/** The whole of a port that serves nothing but metrics. */
export function metricsHandler(metrics: Metrics, config: Config): Handler {
  return (request, response) => {
    const isAllowed = config.metricsToken === undefined || hasToken(request, config.metricsToken)
    if (request.url !== '/metrics' || !isAllowed) {
      response.writeHead(request.url === '/metrics' ? 401 : 404).end()
      return
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  }
}

function mayRead(request: IncomingMessage, config: Config): boolean {
  if (config.metricsToken !== undefined) return hasToken(request, config.metricsToken)
  // A proxy on this machine comes from loopback too, but says for whom.
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (name) => name in request.headers,
  )
  return !isForwarded && /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
