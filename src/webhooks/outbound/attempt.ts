// In charge of what comes back on one post, as undici tells it: the status, the beginning of the body, or why there is
// none. It is settled exactly once, and what comes after that is read away or cut.
import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import { isClosedEarly, OutwardError, toOutwardError } from './connect-error.ts'
import type { ConnectionUser, KeptClient } from './connections.ts'

const bodyBytesMax = 4_096
/** What is read away beyond that, so that the connection can be used again; a new one would cost more. */
const readBytesMax = 65_536
/** …and how long that may take: whoever waits for a connection to the same place must not wait for it. */
const readAwayMaxMs = 1_000
const interimAnswersMax = 10
/** A connection that was being closed as we wrote to it is noticed in the time of a way there and back. */
const closedEarlyMaxMs = 1_000
/** The next connection may be another kept one, and closed at the same time. */
const resendsMax = 3

export interface PostOutcome {
  /** Of the final answer; success is decided by it alone. */
  status: number | undefined
  /** The first 4 KB of the answer as text; undefined where there was none. */
  body: string | undefined
  /** Why there is no status, as a sentence for the owner of the endpoint. Undefined if and only if there is one. */
  error: string | undefined
  durationMs: number
}

export class Attempt implements ConnectionUser {
  readonly outcome: Promise<PostOutcome>
  declare client?: KeptClient
  onSettled: (() => void) | undefined
  /** Sends the same once more. */
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

  /** The time is up: a status that has come counts, whatever became of its body. */
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
    // It waited for a connection for too long: what was told as not sent must not be sent now.
    if (this.#isSettled) controller.abort(new OutwardError('It is too late.'))
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
   * A kept connection that the receiver closed while we wrote to it is nobody's failure: it is sent again on another
   * one. A receiver may get an event twice anyway.
   */
  #resendIfStale(error: Error): boolean {
    const { resend } = this
    const isStale = this.#isReused && this.#interimAnswers === 0 && this.#status === undefined
    const isEarly = performance.now() - this.#sentAt < closedEarlyMaxMs
    if (resend === undefined || this.#isSettled || !isStale || !isEarly || !isClosedEarly(error)) return false
    if (++this.#resends > resendsMax) return false
    // undici is in the middle of clearing up the connection.
    queueMicrotask(resend)
    return true
  }

  /** What has come is enough to tell; the rest is of use only for the connection. */
  #readAway(): void {
    if (this.#isSettled) return
    this.#settle(undefined)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(expire, readAwayMaxMs, this)
  }

  #end(error: OutwardError | undefined): void {
    clearTimeout(this.#timer)
    this.#settle(error)
    this.#controller?.abort(error ?? new OutwardError('The answer is cut.'))
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
    // The decoder keeps back a character of which only the beginning is there.
    const text =
      bytes.length > bodyBytesMax
        ? new StringDecoder('utf8').write(bytes.subarray(0, bodyBytesMax))
        : bytes.toString('utf8')
    // PostgreSQL has no such character.
    return text.includes('\0') ? text.replaceAll('\0', '') : text
  }
}

function expire(attempt: Attempt): void {
  attempt.expire()
}

/** As the answer names it, if that is a word to be shown; nothing where the body is as it is. */
function encodingOf(written: string | string[] | undefined): string {
  const encoding = String(written ?? '').toLowerCase()
  if (encoding === '' || encoding === 'identity') return ''
  return /^[a-z0-9, -]{1,40}$/.test(encoding) ? encoding : 'encoded'
}
