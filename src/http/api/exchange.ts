// The state of one request on its way through `serve`: what was sent, who sent it, what it costs.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Caller } from '../../access/keys/keys.ts'
import type { Allowance } from '../../access/plans/quota.ts'
import { requestIdOf } from '../connection/request-id.ts'
import type { Call } from '../operations/call.ts'
import type { Operation } from '../operations/operations.ts'
import { splitUrl } from '../queries/raw-query.ts'
import type { Bill } from './charge.ts'
import { nowhere, type Route } from './route.ts'

export class Exchange implements Bill {
  readonly startedMs = performance.now()
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly path: string
  readonly rawQuery: string
  route: Route = nowhere
  parameters: Call['parameters'] = {}
  /** Set once the request is admitted. */
  operation: Operation | undefined = undefined
  body: unknown = undefined
  caller: Caller | undefined = undefined
  allowance: Allowance | undefined = undefined
  isChargeDue = false
  /** Whether the connection must end with this response. */
  isLast = false

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.requestId = requestIdOf(request)
    const { method = '', url = '' } = request
    this.method = method
    this.url = url
    const { path, rawQuery } = splitUrl(url)
    this.path = path
    this.rawQuery = rawQuery
  }

  /** The call as its operation sees it. Only for requests that have a caller. */
  get call(): Call {
    return this as Call
  }
}
