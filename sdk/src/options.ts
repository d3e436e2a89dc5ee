// The options of the client and of a single call, and the address of the API that follows from `baseUrl`.

export interface ClientOptions {
  /** Your API key. Keep it on a server: whoever has it can spend your quota. */
  apiKey: string
  /** The address of the service, such as `https://watches.example.com`, with or without `/api/v1`. */
  baseUrl: string
  /** Sends the requests. The default is the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** The longest that one attempt may take, in milliseconds. The default is 30,000. */
  timeoutMs?: number | undefined
  /** How often a request that failed is sent again. The default is 2. */
  maxRetries?: number | undefined
  /** Keeps responses and asks whether they are still current, which costs no quota while they are. Off by default. */
  cache?: boolean | { entries: number } | undefined
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface CallOptions {
  /** Ends the call, also while it waits for the next attempt. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** With POST: replaces the key that makes sure that a repeated request is executed once. */
  idempotencyKey?: string | undefined
}

const versionPath = '/api/v1'

/** The address of the API, without a slash at its end. */
export function apiAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError('baseUrl must be the address of the service, such as https://watches.example.com')
  }
  const { origin, pathname } = new URL(baseUrl)
  let path = pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  return origin + (path.endsWith(versionPath) ? path : path + versionPath)
}

/** Joins the segments of a path. A segment that a URL would not keep is refused, or another resource would be asked for. */
export function pathOf(...segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => {
      const text = String(segment ?? '')
      if (text === '' || text === '.' || text === '..') {
        throw new TypeError(`"${text}" cannot be an id, a slug or a key of this API`)
      }
      return `/${encodeURIComponent(text)}`
    })
    .join('')
}
