// Serves GET /metrics for Prometheus: on the main port with a token, or on a separate port. With neither setting
// there are no metrics: allowing only local requests would allow everyone behind a proxy on this machine.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { Handler } from '../connection/listener.ts'
import { refuseRequest } from '../connection/refuse.ts'
import { requestIdOf } from '../connection/request-id.ts'

export function metricsRoute(app: FastifyInstance, metrics: Metrics, config: Config): void {
  const { metricsToken, metricsPort } = config
  if (metricsToken === undefined || metricsPort !== undefined) return
  app.get('/metrics', async (request, reply) => {
    if (!hasToken(request.raw, metricsToken)) {
      throw new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

/** The handler of the separate port. It serves nothing but metrics, and requires the token only where one is set. */
export function metricsHandler(metrics: Metrics, { metricsToken }: Config): Handler {
  return (request, response) => {
    const [path] = (request.url ?? '').split('?')
    if (path !== '/metrics') refuseRequest(request, response, 'not_found')
    else if (request.method !== 'GET') refuseRequest(request, response, 'method_not_allowed')
    else if (metricsToken !== undefined && !hasToken(request, metricsToken)) {
      refuseRequest(request, response, 'unauthenticated')
    } else {
      const headers = { 'content-type': metrics.registry.contentType, 'x-request-id': requestIdOf(request) }
      metrics.registry
        .metrics()
        .then((text) => response.headersSent || response.writeHead(200, headers).end(text))
        .catch(() => refuseRequest(request, response, 'internal'))
    }
  }
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
