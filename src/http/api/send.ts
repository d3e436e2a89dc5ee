// Sends the responses of the API, head and body in one write, and records each: its duration in the metrics, at debug
// level a line in the log, and for an authenticated caller an entry in the request log.
import { performance } from 'node:perf_hooks'
import type { Allowance } from '../../access/plans/quota.ts'
import type { RequestLog } from '../../access/request-log/request-log.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { joinPage, type Page } from '../../search/results/list-watches.ts'
import {
  allowanceOfNobody,
  corsHeaders,
  rateLimitHeaders,
  sharedRateLimitLines,
} from '../connection/api-headers.ts'
import { whenDone } from '../connection/pipeline.ts'
import {
  type Head,
  Heads,
  headerLines,
  isLastResponse,
  ResponseBytes,
  sendRaw,
} from '../connection/raw-response.ts'
import { type Lent, SendBuffers } from '../connection/send-buffers.ts'
import { measuredMethod } from '../measure-requests.ts'
import type { Headers } from '../responses/prepared.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Exchange } from './exchange.ts'

export interface SenderParts {
  readonly config: Pick<Config, 'keepAliveTimeoutMs' | 'v1DeprecatedAt' | 'v1SunsetAt'>
  readonly baseUrl: string
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
  readonly requests: Pick<RequestLog, 'note'>
  readonly isReady: () => boolean
  readonly sandbox: unknown
}

const sequenceName = 'x-catalogue-sequence'
const sequenceLine = (sequence: number) => `${sequenceName}: ${sequence}\r\n`
/** Usually there are none. */
function noteLines({ found: { unknown } }: Exchange): string {
  return unknown === undefined ? '' : headerLines(unknown)
}

const jsonLine = 'content-type: application/json; charset=utf-8\r\n'

export class Sender {
  readonly #parts: SenderParts
  readonly #heads: Heads
  readonly #buffers = new SendBuffers()
  readonly #same: Headers
  /** The line of the sequence that was sent last: most responses have the same. */
  #sequence = { number: 0, line: sequenceLine(0) }

  constructor(parts: SenderParts) {
    this.#parts = parts
    const mode = parts.sandbox === undefined ? { 'x-test-mode': 'true' } : {}
    this.#same = { ...corsHeaders, ...deprecationHeaders(parts.config, parts.baseUrl), ...mode }
    this.#heads = new Heads(this.#same, parts.config.keepAliveTimeoutMs)
  }

  /** `lines` are header lines in Latin-1 besides those of `own`. */
  send(exchange: Exchange, status: number, own: ResponseBytes, lines = ''): void {
    if (!this.#isOpen(exchange, status)) return
    const head = this.#head(exchange, status, own, lines)
    const isHead = exchange.method === 'HEAD'
    const lent = this.#buffers.take(isHead ? head.length : head.length + own.length - own.bodyAt)
    if (isHead) head.write(lent.bytes, 0)
    else head.writeWhole(lent.bytes, 0)
    this.#write(exchange, status, lent)
  }

  /** Sends a page of watches, which is joined only now, after its header lines. */
  sendPage(exchange: Exchange, lines: ResponseBytes, index: WatchIndex, page: Page): void {
    if (exchange.method === 'HEAD') this.send(exchange, 200, lines)
    else if (this.#isOpen(exchange, 200)) {
      this.#write(exchange, 200, joinPage(index, page, this.#head(exchange, 200, lines)))
    }
  }

  sendJson(exchange: Exchange, status: number, headers: Headers, body: string | undefined): void {
    const own = headerLines({ ...exchange.operation?.headers, ...headers })
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const ofBody = bytes === undefined ? '' : `${jsonLine}content-length: ${bytes.length}\r\n`
    this.send(exchange, status, ResponseBytes.of(ofBody + own, bytes))
  }

  /** Begins a response of unknown length. Returns false where there is nobody to send it to. */
  begin(exchange: Exchange, headers: Headers): boolean {
    if (!this.#isOpen(exchange, 200)) return false
    const { response, requestId } = exchange
    if (exchange.isLast || !this.#parts.isReady()) response.setHeader('connection', 'close')
    response[whenDone] = () => this.record(exchange, 200)
    const limits = rateLimitHeaders(this.#allowance(exchange))
    const named = { 'x-request-id': requestId, [sequenceName]: String(exchange.sequence) }
    response.writeHead(200, { ...headers, ...limits, ...named, ...exchange.found.unknown, ...this.#same })
    return true
  }

  record(exchange: Exchange, status: number): void {
    const durationMs = (exchange.endedMs || performance.now()) - exchange.startedMs
    const { request, method, url, route, caller, requestId } = exchange
    const { metrics, log, requests } = this.#parts
    route.durations(metrics, measuredMethod(method), status).observe(durationMs / 1_000)
    if (log.isLevelEnabled('debug')) {
      const ip = request.socket.remoteAddress
      log.debug({ requestId, method, url, ip, status, ms: durationMs }, 'request')
    }
    if (caller === undefined) return
    const { accountId, keyId } = caller
    requests.note({ accountId, keyId, method, url, status, durationMs, requestId })
  }

  /** False where the client has disconnected, or the listener has refused the rest of the request. */
  #isOpen(exchange: Exchange, status: number): boolean {
    const { response } = exchange
    if (response.headersSent) return false
    if (!response.destroyed) return true
    this.record(exchange, status)
    return false
  }

  #head(exchange: Exchange, status: number, own: ResponseBytes, lines = ''): Head {
    // Closing keep-alive connections makes clients reconnect, to another process.
    if (!this.#parts.isReady() || isLastResponse(exchange.response)) exchange.isLast = true
    const allowance = this.#allowance(exchange)
    const shared = sharedRateLimitLines(allowance)
    const text = `x-ratelimit-remaining: ${allowance.remaining}\r\nx-request-id: ${exchange.requestId}\r\n${this.#sequenceLine(exchange)}${noteLines(exchange)}${lines}`
    exchange.endedMs = performance.now()
    return this.#heads.make({ status, shared, text, own, isLast: exchange.isLast, nowMs: exchange.endedMs })
  }

  #write(exchange: Exchange, status: number, { bytes, giveBack }: Lent): void {
    // A response is recorded only once it is on its way.
    exchange.response[whenDone] = () => {
      giveBack()
      this.record(exchange, status)
    }
    sendRaw(exchange.response, bytes, exchange.isLast)
  }

  #sequenceLine({ sequence }: Exchange): string {
    if (this.#sequence.number !== sequence)
      this.#sequence = { number: sequence, line: sequenceLine(sequence) }
    return this.#sequence.line
  }

  #allowance({ allowance }: Exchange): Allowance {
    return allowance ?? allowanceOfNobody(this.#parts.clock)
  }
}
