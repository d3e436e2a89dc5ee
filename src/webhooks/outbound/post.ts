// In charge of one attempt to send: posts over a connection that goes outward only, within one time-out for all of it,
// and tells what came of it. It knows no event, no signature and no retry.

import { Attempt, type PostOutcome } from './attempt.ts'
import { outwardConnector } from './connect.ts'
import { OutwardError } from './connect-error.ts'
import { Connections } from './connections.ts'
import type { AddressRules } from './endpoint-url.ts'

export type { PostOutcome }

export interface Poster {
  /**
   * Never rejects. When `signal` is aborted, what is under way ends with the error `The service is stopping.`: that is no
   * failure of the endpoint, so ask `signal.aborted` before it is recorded as one.
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
  /** All of an attempt: the look-up, the connection, the answer. */
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
  const underWay = new UnderWay()
  const targets = new Targets()
  return {
    post: (written, headers, body, signal) => {
      const attempt = new Attempt(limits.attemptMaxMs)
      const url = targets.find(written)
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

/** As undici takes them most quickly. */
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

/** Addresses that were taken apart: to do so takes longer than anything else here, and each is wanted many times. */
class Targets {
  readonly #known = new Map<string, Target>()

  find(written: string): Target | null {
    const known = this.#known.get(written)
    if (known !== undefined) return known
    const url = URL.parse(written)
    if (url === null) return null
    const target = { protocol: url.protocol, origin: url.origin, path: url.pathname + url.search }
    if (this.#known.size === targetsMax) this.#known.clear()
    this.#known.set(written, target)
    return target
  }
}

const targetsMax = 10_000

/** One listener for each signal: with one for each post, taking it away again would go through all the others. */
class UnderWay {
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
