// What every method of the client returns: a promise of the result, which can also be had with its response.

import type { Received } from './attempt.ts'
import { WatchdataError } from './errors.ts'

/** The state of your quota after a response. */
export interface RateLimit {
  /** Requests per day. */
  limit: number
  /** Requests left today. */
  remaining: number
  resetAt: Date
}

export interface WithResponse<Result> {
  /** What the call alone resolves to. */
  data: Result
  /** The body has been read; the headers are all there. */
  response: Response
  /** Undefined where a proxy has removed the headers. */
  rateLimit: RateLimit | undefined
  requestId: string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: as the handlers of every promise
type OnRejected<Rejected> = ((reason: any) => Rejected | PromiseLike<Rejected>) | null | undefined

export class Call<Result> implements Promise<Result> {
  readonly [Symbol.toStringTag]: string = 'Call'
  readonly #answer: () => Promise<WithResponse<Result>>

  constructor(answer: () => Promise<WithResponse<Result>>) {
    this.#answer = answer
  }

  /** The result, together with the response, your quota and the id of the request. */
  withResponse(): Promise<WithResponse<Result>> {
    return this.#answer()
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise
  then<Fulfilled = Result, Rejected = never>(
    onFulfilled?: ((value: Result) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: OnRejected<Rejected>,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  catch<Rejected = never>(onRejected?: OnRejected<Rejected>): Promise<Result | Rejected> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.then().finally(onFinally)
  }
}

/** A call that has begun. `pick` takes the result out of the parsed body. */
export function callOf<Body, Result>(
  received: Promise<Received>,
  pick: (body: Body) => Result,
): Call<Result> {
  const answer = received.then((whole) => readAnswer(whole, pick))
  return new Call(() => answer)
}

export function readAnswer<Body, Result>(
  { response, text }: Received,
  pick: (body: Body) => Result,
): WithResponse<Result> {
  return {
    data: pick(parseBody(response, text) as Body),
    response,
    rateLimit: rateLimitOf(response.headers),
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
}

function parseBody({ status, headers }: Response, text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'The response is not JSON: is baseUrl the address of the service?'
    throw new WatchdataError(message, { status, headers, body: text, cause })
  }
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const reset = headers.get('x-ratelimit-reset')
  if (reset === null) return undefined
  const limit = Number(headers.get('x-ratelimit-limit'))
  const remaining = Number(headers.get('x-ratelimit-remaining'))
  return { limit, remaining, resetAt: new Date(Number(reset) * 1_000) }
}
