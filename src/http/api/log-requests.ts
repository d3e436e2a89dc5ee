// In charge of the log of requests on the long way: every answer to a caller who is known, whatever it is. The short
// way notes its own.
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
