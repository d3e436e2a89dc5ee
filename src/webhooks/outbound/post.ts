// Makes one attempt to send: posts over a connection that goes outward only, within one timeout for the whole attempt,
// and returns the outcome. Knows no events, no signatures and no retries.

import type { AddressRules } from '../../outbound/address-rules.ts'
import { outwardConnector } from '../../outbound/connect.ts'
import { OutwardError } from '../../outbound/connect-error.ts'
import { Attempt, type PostOutcome } from './attempt.ts'
import { Connections } from './connections.ts'

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
const targetsMax = 10_000

export function openPoster(rules: AddressRules, changed: Partial<PostLimits> = {}): Poster {
  const { attemptMaxMs, connectMaxMs, originsMax } = { ...defaultLimits, ...changed }
  const closing = new AbortController()
  const connections = new Connections(outwardConnector(rules, connectMaxMs, closing.signal), originsMax)
  const inFlight = new WeakMap<AbortSignal, Set<Attempt>>()
  const targetOf = targetCache()
  return {
    post: (raw, headers, body, signal) => {
      const attempt = new Attempt(attemptMaxMs)
      const target = targetOf(raw)
      if (signal.aborted || closing.signal.aborted) attempt.stop()
      else if (target === undefined) {
        attempt.onResponseError(null, new OutwardError('The address is not one of http or https.'))
      } else {
        const attempts = inFlight.getOrInsertComputed(signal, attemptsUntil)
        attempts.add(attempt)
        attempt.onSettled = () => attempts.delete(attempt)
        const { origin, path } = target
        const options = { method: 'POST', path, headers: headerList(headers), body } as const
        attempt.resend = () => connections.poolOf(origin).dispatch(options, attempt)
        attempt.resend()
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

/** Caches parsed URLs: parsing takes longer than anything else here, and each URL is used many times. */
function targetCache() {
  const known = new Map<string, ReturnType<typeof findTarget>>()
  return (raw: string) => {
    if (known.size === targetsMax && !known.has(raw)) known.clear()
    return known.getOrInsertComputed(raw, findTarget)
  }
}

/** Returns undefined if the URL is not one of http or https. */
function findTarget(raw: string) {
  const url = URL.parse(raw)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return { origin: url.origin, path: url.pathname + url.search }
}

/** Adds one listener per signal: with one per post, removing a listener would go through all the others. */
function attemptsUntil(signal: AbortSignal): Set<Attempt> {
  const attempts = new Set<Attempt>()
  const stop = () => {
    for (const attempt of attempts) attempt.stop()
  }
  signal.addEventListener('abort', stop, { once: true })
  return attempts
}
