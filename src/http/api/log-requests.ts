// Records every response of the Fastify routes: its duration in the metrics, at debug level a line in the log, and for
// an authenticated caller an entry in the request log. The fast path (fast-list.ts) records its own requests.
import type { FastifyInstance } from 'fastify'
import type { RequestLog } from '../../access/request-log/request-log.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'

/** All other methods share one label: otherwise unauthenticated callers could fill the metrics registry. */
const measuredMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

export function measureRequests(
  app: FastifyInstance,
  { metrics, log }: { metrics: Metrics; log: Log },
): void {
  app.addHook('onResponse', ({ id: requestId, method, url, ip, routeOptions }, reply, done) => {
    done()
    const { statusCode: status, elapsedTime: ms } = reply
    const route = routeOptions.url ?? 'unknown'
    const label = measuredMethods.has(method) ? method : 'other'
    metrics.requests.series({ method: label, route, status }).observe(ms / 1_000)
    if (log.isLevelEnabled('debug')) log.debug({ requestId, method, url, ip, status, ms }, 'request')
  })
}

export function noteCalls(api: FastifyInstance, requests: Pick<RequestLog, 'note'>): void {
  api.addHook('onResponse', ({ caller, method, url, id: requestId }, reply, done) => {
    done()
    if (caller === undefined) return
    const { accountId, keyId } = caller
    const { statusCode: status, elapsedTime: durationMs } = reply
    requests.note({ accountId, keyId, method, url, status, durationMs, requestId })
  })
}
