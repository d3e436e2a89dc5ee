// The state of one request on its way through `serve`: what was sent, who sent it, what it costs.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Caller } from '../../access/keys/keys.ts'
import type { Allowance } from '../../access/plans/quota.ts'
import { usualHeaders } from '../connection/headers.ts'
import { requestIdOf } from '../connection/request-id.ts'
import type { Call } from '../operations/call.ts'
import type { Operation } from '../operations/operations.ts'
import { splitUrl } from '../queries/raw-query.ts'
import type { Cached } from '../responses/answer-cache.ts'
import { chooseEncoding, type Encoding } from '../responses/encoding.ts'
import type { Bill } from './charge.ts'
import { type Found, nowhere, type Route } from './route.ts'

export class Exchange implements Bill {
  readonly startedMs = performance.now()
  /** When the head of the response was made; 0 before, and for a stream. How long the client takes to read is not our time. */
  endedMs = 0
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** How the response may be encoded. */
  readonly encoding: Encoding
  /** The response has all changes up to this one. */
  sequence = 0
  found: Found = nowhere
  /** What the cache has under the URL of the request. */
  cached: Cached<Found> | undefined = undefined
  /** Set once the request is admitted. */
  operation: Operation | undefined = undefined
  body: unknown = undefined
  caller: Caller | undefined = undefined
  allowance: Allowance | undefined = undefined
  isChargeDue = false
  requests = 1
  /** Whether the connection must end with this response. */
  isLast = false

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.requestId = requestIdOf(request)
    const { method = '', url = '' } = request
    this.method = method
    this.url = url
    this.encoding = chooseEncoding(usualHeaders(request).acceptEncoding)
  }

  get route(): Route {
    return this.found.route
  }

  get parameters(): Call['parameters'] {
    return this.found.parameters
  }

  // Split only where they are needed: a cached answer is found by the whole URL.
  get path(): string {
    return splitUrl(this.url).path
  }

  get rawQuery(): string {
    return splitUrl(this.url).rawQuery
  }

  /** The call as its operation sees it. Only for requests that have a caller. */
  get call(): Call {
    return this as Call
  }
}
