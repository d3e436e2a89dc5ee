// Collects the outcome of one post from undici: the status and the beginning of the body, or why there is none.
// Settles exactly once. The rest of the response is then read and discarded, or the connection is closed.
import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import { isClosedEarly, OutwardError, toOutwardError } from '../../outbound/connect-error.ts'
import type { ConnectionUser, CountingClient } from './connections.ts'

const bodyBytesMax = 4_096
/** A longer body is read and discarded up to this size, so that the connection can be reused: a new one costs more. */
const readBytesMax = 65_536
/** The time limit for that: other posts to the same origin may be waiting for the connection. */
const readAwayMaxMs = 1_000
const interimAnswersMax = 10
/** If the receiver was closing the connection as we wrote to it, we notice within a round trip. */
const closedEarlyMaxMs = 1_000
/** The next connection may be another idle one that was closed at the same time. */
const resendsMax = 3

export interface PostOutcome {
  /** The status of the final response. It alone decides whether the post succeeded. */
  status: number | undefined
  /** The first 4 KB of the response body as text; undefined if there was no response. */
  body: string | undefined
  /** Why there is no status, as a sentence for the owner of the endpoint. Set if and only if `status` is undefined. */
  error: string | undefined
  durationMs: number
}

export class Attempt implements ConnectionUser {
  readonly outcome: Promise<PostOutcome>
  declare client?: CountingClient
  onSettled: (() => void) | undefined
  /** Sends the same request again. */
  resend: (() => void) | undefined

  readonly #startedAt = performance.now()
  readonly #attemptMaxMs: number
  readonly #resolve: (outcome: PostOutcome) => void
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #sentAt = 0
  #resends = 0
  #isReused = false
  #isSettled = false
  #status: number | undefined
  #encoding = ''
  #interimAnswers = 0
  #readBytes = 0
  #chunks: Buffer[] = []

  constructor(attemptMaxMs: number) {
    const { promise, resolve } = Promise.withResolvers<PostOutcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#attemptMaxMs = attemptMaxMs
    this.#timer = setTimeout(expire, attemptMaxMs, this)
  }

  /** The time is up. A status that was received counts, even if its body is incomplete. */
  expire(): void {
    const seconds = `${this.#attemptMaxMs / 1000} seconds`
    const isSent = this.#controller !== undefined
    this.#end(new OutwardError(isSent ? `No answer within ${seconds}.` : `No connection within ${seconds}.`))
  }

  stop(): void {
    this.#end(new OutwardError('The service is stopping.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#sentAt = performance.now()
    this.#isReused = this.client !== undefined && this.client.requests++ > 0
    // The attempt waited too long for a connection. It was reported as not sent, so it must not be sent now.
    if (this.#isSettled) controller.abort(new OutwardError('The attempt is settled already.'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      if (++this.#interimAnswers > interimAnswersMax) this.#end(new OutwardError('Too many interim answers.'))
      return
    }
    this.#status = status
    this.#encoding = encodingOf(headers['content-encoding'])
    if (this.#encoding !== '') this.#readAway()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < bodyBytesMax) this.#chunks.push(chunk)
    this.#readBytes += chunk.length
    if (this.#readBytes > bodyBytesMax) this.#readAway()
    if (this.#readBytes > readBytesMax) this.#end(undefined)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    this.#settle(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#resendIfStale(error)) return
    clearTimeout(this.#timer)
    this.#settle(error)
  }

  /**
   * Sends again on another connection if the receiver closed a reused one while we wrote to it: that is not a
   * failure of the receiver. A receiver may get an event twice anyway.
   */
  #resendIfStale(error: Error): boolean {
    const { resend } = this
    const isStale = this.#isReused && this.#interimAnswers === 0 && this.#status === undefined
    const isEarly = performance.now() - this.#sentAt < closedEarlyMaxMs
    if (resend === undefined || this.#isSettled || !isStale || !isEarly || !isClosedEarly(error)) return false
    if (++this.#resends > resendsMax) return false
    // Deferred, because undici is still cleaning up the connection.
    queueMicrotask(resend)
    return true
  }

  /** Settles with what was received. The rest is read only so that the connection can be reused. */
  #readAway(): void {
    if (this.#isSettled) return
    this.#settle(undefined)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(expire, readAwayMaxMs, this)
  }

  #end(error: OutwardError | undefined): void {
    clearTimeout(this.#timer)
    this.#settle(error)
    this.#controller?.abort(error ?? new OutwardError('The rest of the response is discarded.'))
  }

  #settle(error: Error | undefined): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const hasStatus = this.#status !== undefined
    this.#resolve({
      status: this.#status,
      body: hasStatus ? this.#text() : undefined,
      error: hasStatus ? undefined : toOutwardError(error).message,
      durationMs: Math.round(performance.now() - this.#startedAt),
    })
    this.#chunks = []
    this.onSettled?.()
  }

  #text(): string {
    if (this.#encoding !== '') return `(${this.#encoding}, not shown)`
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    // The decoder leaves out an incomplete character at the end.
    const text =
      bytes.length > bodyBytesMax
        ? new StringDecoder('utf8').write(bytes.subarray(0, bodyBytesMax))
        : bytes.toString('utf8')
    // PostgreSQL cannot store NUL in a text.
    return text.includes('\0') ? text.replaceAll('\0', '') : text
  }
}

function expire(attempt: Attempt): void {
  attempt.expire()
}

/** Returns the encoding that the response names, or `encoded` if it is unfit to be shown; empty if there is none. */
function encodingOf(raw: string | string[] | undefined): string {
  const encoding = String(raw ?? '').toLowerCase()
  if (encoding === '' || encoding === 'identity') return ''
  return /^[a-z0-9, -]{1,40}$/.test(encoding) ? encoding : 'encoded'
}
