// Makes one attempt to send: posts over a connection that goes outward only, within one timeout for the whole attempt,
// and returns the outcome. Knows no events, no signatures and no retries.

import { Attempt, type PostOutcome } from './attempt.ts'
import { outwardConnector } from './connect.ts'
import { OutwardError } from './connect-error.ts'
import { Connections } from './connections.ts'
import type { AddressRules } from './endpoint-url.ts'

export type { PostOutcome }

export interface Poster {
  /**
   * Never rejects. When `signal` is aborted, posts in flight end with the error `The service is stopping.` That is
   * not a failure of the endpoint, so check `signal.aborted` before recording one.
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer | string,
    signal: AbortSignal,
  ): Promise<PostOutcome>
  close(): Promise<void>
}

export interface PostLimits {
  /** The whole attempt: lookup, connection and response. */
  attemptMaxMs: number
  connectMaxMs: number
  originsMax: number
}

const defaultLimits: PostLimits = { attemptMaxMs: 15_000, connectMaxMs: 10_000, originsMax: 1_000 }

export function openPoster(rules: AddressRules, changed: Partial<PostLimits> = {}): Poster {
  const limits = { ...defaultLimits, ...changed }
  const closing = new AbortController()
  const connections = new Connections(
    outwardConnector(rules, limits.connectMaxMs, closing.signal),
    limits.originsMax,
  )
  const underWay = new InFlight()
  const targets = new Targets()
  return {
    post: (raw, headers, body, signal) => {
      const attempt = new Attempt(limits.attemptMaxMs)
      const url = targets.find(raw)
      if (signal.aborted || closing.signal.aborted) attempt.stop()
      else if (url === null || !/^https?:$/.test(url.protocol)) {
        attempt.onResponseError(null, new OutwardError('The address is not one of http or https.'))
      } else {
        underWay.add(attempt, signal)
        const options = {
          method: 'POST',
          path: url.path,
          headers: headerList(headers),
          body,
        }
        const { origin } = url
        attempt.resend = () => connections.poolOf(origin).dispatch(options, attempt)
        connections.poolOf(origin).dispatch(options, attempt)
      }
      return attempt.outcome
    },
    close: () => {
      closing.abort()
      return connections.close()
    },
  }
}

/** Returns the headers as a flat list, the form that undici processes fastest. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list = ['accept-encoding', 'identity']
  for (const name in headers) list.push(name, headers[name] as string)
  return list
}

interface Target {
  readonly protocol: string
  readonly origin: string
  readonly path: string
}

/** Caches parsed URLs: parsing takes longer than anything else here, and each URL is used many times. */
class Targets {
  readonly #known = new Map<string, Target>()

  find(raw: string): Target | null {
    const known = this.#known.get(raw)
    if (known !== undefined) return known
    const url = URL.parse(raw)
    if (url === null) return null
    const target = { protocol: url.protocol, origin: url.origin, path: url.pathname + url.search }
    if (this.#known.size === targetsMax) this.#known.clear()
    this.#known.set(raw, target)
    return target
  }
}

const targetsMax = 10_000

/** Adds one listener per signal: with one per post, removing a listener would go through all the others. */
class InFlight {
  readonly #attempts = new WeakMap<AbortSignal, Set<Attempt>>()

  add(attempt: Attempt, signal: AbortSignal): void {
    const attempts = this.#attempts.get(signal) ?? this.#listen(signal)
    attempts.add(attempt)
    attempt.onSettled = () => attempts.delete(attempt)
  }

  #listen(signal: AbortSignal): Set<Attempt> {
    const attempts = new Set<Attempt>()
    this.#attempts.set(signal, attempts)
    const stop = () => {
      for (const attempt of attempts) attempt.stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    return attempts
  }
}
