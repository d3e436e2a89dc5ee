// Records the responses outside the API: the duration of each in the metrics, and at debug level a line in the log. The
// API records its own (api/send.ts).
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

const measuredMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

/** All other methods share one label: otherwise unauthenticated callers could fill the metrics registry. */
export function measuredMethod(method: string): string {
  return measuredMethods.has(method) ? method : 'other'
}

export function measureRequests(
  app: FastifyInstance,
  { metrics, log }: { metrics: Metrics; log: Log },
): void {
  app.addHook('onResponse', ({ id: requestId, method, url, ip, routeOptions }, reply, done) => {
    done()
    const { statusCode: status, elapsedTime: ms } = reply
    const route = routeOptions.url ?? 'unknown'
    metrics.requests.series({ method: measuredMethod(method), route, status }).observe(ms / 1_000)
    if (log.isLevelEnabled('debug')) log.debug({ requestId, method, url, ip, status, ms }, 'request')
  })
}
