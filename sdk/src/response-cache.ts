// Keeps the texts of responses by URL; the least recently used leaves first. A response that the service calls unchanged is
// given again, with the headers of the new one.
import type { Received } from './attempt.ts'

const entriesDefault = 100

interface Cached {
  readonly etag: string
  readonly renew: (unchanged: Response) => Received
}

export class ResponseCache {
  readonly #entriesMax: number
  /** In the order of their last use. */
  readonly #byUrl = new Map<string, Cached>()

  constructor(entriesMax = entriesDefault) {
    this.#entriesMax = entriesMax
  }

  find(url: string): Cached | undefined {
    const cached = this.#byUrl.get(url)
    if (cached !== undefined) this.#put(url, cached)
    return cached
  }

  /** Stores a response that has an ETag. The text is stored, not what is parsed of it: a caller may change that. */
  keep(url: string, { response, text }: Received): void {
    const { headers } = response
    const etag = headers.get('etag')
    if (etag === null) this.#byUrl.delete(url)
    else this.#put(url, { etag, renew: (unchanged) => renewed(headers, unchanged.headers, text) })
  }

  #put(url: string, cached: Cached): void {
    this.#byUrl.delete(url)
    this.#byUrl.set(url, cached)
    const [oldest] = this.#byUrl.keys()
    if (this.#byUrl.size > this.#entriesMax && oldest !== undefined) this.#byUrl.delete(oldest)
  }
}

function renewed(stored: Headers, fresh: Headers, text: string): Received {
  const headers = new Headers(stored)
  fresh.forEach((value, name) => {
    headers.set(name, value)
  })
  return { response: new Response(text, { headers }), text }
}
