// Sends the requests of all resources: with the key, retries and the cache. It knows no resource.
import { type Opened, open, type Prepared, type Received, receive } from './attempt.ts'
import { apiAddress, type CallOptions, type ClientOptions, pathOf } from './options.ts'
import { queryString } from './query-string.ts'
import { ResponseCache } from './response-cache.ts'
import { pause, retryDelayMs } from './retry.ts'

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The segments below the address of the API. */
  readonly path: readonly (string | number)[]
  readonly query?: object | string | undefined
  readonly body?: unknown
  /** An ETag that the caller has: a 304 is then a success. */
  readonly ifNoneMatch?: string
  /** How long the service may wait before it responds. */
  readonly waitMs?: number
}

const timeoutDefaultMs = 30_000
const retriesDefault = 2

export class Transport {
  readonly #address: string
  readonly #options: ClientOptions
  readonly #cache: ResponseCache | undefined

  constructor(options: ClientOptions) {
    const { apiKey, baseUrl, cache } = options
    if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must be your API key')
    this.#address = apiAddress(baseUrl)
    this.#options = options
    if (cache) this.#cache = new ResponseCache(cache === true ? undefined : cache.entries)
  }

  /** Sends a request and reads the whole response. */
  async send(sent: Sent, options: CallOptions = {}): Promise<Received> {
    const prepared = this.#prepare(sent, options)
    const { url, headers } = prepared
    const cache = prepared.method === 'GET' && !headers.has('if-none-match') ? this.#cache : undefined
    const cached = cache?.find(url)
    if (cached !== undefined) headers.set('if-none-match', cached.etag)
    const received = await this.#retry(options, (isRepeated) => receive(prepared, isRepeated))
    if (cached !== undefined && received.response.status === 304) return cached.renew(received.response)
    cache?.keep(url, received)
    return received
  }

  /** Sends a request whose response is read piece by piece. */
  async open(sent: Sent, options: CallOptions): Promise<Opened> {
    const prepared = this.#prepare(sent, options)
    return this.#retry(options, () => open(prepared))
  }

  #prepare(sent: Sent, options: CallOptions): Prepared {
    const { method = 'GET', query = {}, body, ifNoneMatch, waitMs = 0 } = sent
    const path = pathOf(...sent.path)
    const { apiKey, timeoutMs = timeoutDefaultMs, fetch = globalThis.fetch } = this.#options
    const written = typeof query === 'string' ? query : queryString(query)
    const headers = new Headers({ authorization: `Bearer ${apiKey}` })
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (ifNoneMatch !== undefined) headers.set('if-none-match', ifNoneMatch)
    // The same for all attempts, so that the service executes the request once.
    if (method === 'POST') headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID())
    for (const [name, value] of Object.entries({ ...this.#options.headers, ...options.headers })) {
      headers.set(name, value)
    }
    return {
      asked: `${method} ${path}`,
      url: `${this.#address}${path}${written === '' ? '' : `?${written}`}`,
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: (options.timeoutMs ?? timeoutMs) + waitMs,
      signal: options.signal,
      fetch,
    }
  }

  async #retry<Result>(
    options: CallOptions,
    attempt: (isRepeated: boolean) => Promise<Result>,
  ): Promise<Result> {
    const max = options.maxRetries ?? this.#options.maxRetries ?? retriesDefault
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt(failures > 0)
      } catch (error) {
        const delayMs = failures < max ? retryDelayMs(error, failures) : undefined
        if (delayMs === undefined) throw error
        await pause(delayMs, options.signal)
      }
    }
  }
}
