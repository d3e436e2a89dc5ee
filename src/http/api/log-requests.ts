// Writes the request log for the Fastify routes: one entry per response to an authenticated caller, whatever its
// status. The fast path (fast-list.ts) logs its own requests.
import type { FastifyInstance } from 'fastify'
import type { RequestLog } from '../../access/request-log/request-log.ts'

export function noteCalls(api: FastifyInstance, requests: Pick<RequestLog, 'note'>): void {
  api.addHook('onResponse', (request, reply, done) => {
    done()
    const { caller, method, url, id } = request
    if (caller === undefined) return
    const { accountId, keyId } = caller
    const { statusCode: status, elapsedTime: durationMs } = reply
    requests.note({ accountId, keyId, method, url, status, durationMs, requestId: id })
  })
}
