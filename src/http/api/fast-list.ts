// Serves the most frequent request on a fast path that bypasses Fastify: an uncompressed, unconditional GET /watches
// with a cached key. The response is the same as that of the routes, in less time. Everything else, every error
// included, goes to the routes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import type { Allowance } from '../../access/plans/quota.ts'
import type { RequestLog } from '../../access/request-log/request-log.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { joinPage, lengthOfPage } from '../../search/results/list-watches.ts'
import { countHeader, findHeader } from '../connection/headers.ts'
import type { Handler } from '../connection/listener.ts'
import { whenDone } from '../connection/pipeline.ts'
import { canSendRaw, Heads, headerLines, sendRaw } from '../connection/raw-response.ts'
import { requestIdOf } from '../connection/request-id.ts'
import { chooseEncoding } from '../responses/compress.ts'
import { type CachedList, ListCache } from '../responses/list-cache.ts'
import { rateLimitLines } from '../responses/rate-limit-headers.ts'
import { KnownConnections } from './authenticate.ts'
import { corsHeaders } from './cors.ts'
import { type Deprecation, withDeprecation } from './deprecation.ts'
import { prepareListAnswer } from './prepare-list.ts'
import { type CatalogueParts, plainHeaders } from './send-response.ts'

export interface FastListParts extends CatalogueParts {
  readonly callers: KeyCache
  readonly requests: Pick<RequestLog, 'note'>
  readonly isReady: () => boolean
  readonly config: Pick<Config, 'keepAliveTimeoutMs'>
  readonly metrics: Metrics
  readonly log: Log
  readonly deprecation: Deprecation | undefined
}

const keptBytesMax = 24 * 1024 * 1024
const path = '/api/v1/watches'
const allWatches = () => ({ path: '/watches' })
/** The same labels as the Fastify route, so that both paths are counted together. */
const labels = { method: 'GET', route: path, status: 200 }
const sameHeaders = Object.entries({ ...corsHeaders, ...plainHeaders }).flat()

export interface FastList {
  /** Handles the requests it can, and passes the rest to the Fastify routes. */
  readonly handle: Handler
  /** Call it with an index that is about to replace the current one. */
  readonly prepare: (next: WatchIndex, signal: AbortSignal) => Promise<void>
}

export function fastList(parts: FastListParts, fallback: Handler): FastList {
  const apiUrl = `${parts.baseUrl}/api/v1`
  const known = new KnownConnections(parts.callers)
  const kept = new ListCache(keptBytesMax)
  const { deprecation } = parts
  const same = [...sameHeaders, ...Object.entries(deprecation?.headers ?? {}).flat()]
  const heads = new Heads(same, parts.config.keepAliveTimeoutMs)
  const durations = parts.metrics.requests.series(labels)
  const make = (index: WatchIndex, rawQuery: string) => makeList(index, apiUrl, rawQuery, deprecation)
  // At debug level every request is logged, which only the Fastify routes do.
  const isLogged = parts.log.isLevelEnabled('debug')

  const handle: Handler = (request, response) => {
    const startedMs = performance.now()
    const rawQuery = isLogged || !canSendRaw(response) ? undefined : findQuery(request)
    const caller = rawQuery !== undefined && parts.isReady() ? known.find(request) : undefined
    const allowance = caller === undefined ? undefined : parts.charges.chargeAhead(caller)
    if (rawQuery === undefined || caller === undefined || allowance === undefined) fallback(request, response)
    else if (!(allowance instanceof Promise))
      answer(request, response, rawQuery, caller, allowance, startedMs)
    else {
      allowance.then(
        (charged) => isWaiting(response) && answer(request, response, rawQuery, caller, charged, startedMs),
        (error: Error) => {
          parts.charges.handOn(request, error)
          if (isWaiting(response)) fallback(request, response)
        },
      )
    }
  }

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    rawQuery: string,
    caller: Caller,
    allowance: Allowance,
    startedMs: number,
  ): void {
    const index = parts.index()
    const list = allowance.isGranted
      ? (kept.find(index, rawQuery) ?? makeAndKeep(index, rawQuery))
      : undefined
    if (list === undefined) {
      parts.charges.handOn(request, allowance)
      fallback(request, response)
      return
    }
    const requestId = requestIdOf(request)
    const lines = `${list.lines}${rateLimitLines(allowance)}x-request-id: ${requestId}\r\n`
    const { bytes, giveBack } = joinPage(index, list.page, heads.make(lines, startedMs))
    response[whenDone] = giveBack
    sendRaw(response, bytes)
    const durationMs = performance.now() - startedMs
    durations.observe(durationMs / 1_000)
    const { accountId, keyId } = caller
    const { url = '' } = request
    parts.requests.note({ accountId, keyId, method: 'GET', url, status: 200, durationMs, requestId })
  }

  function makeAndKeep(index: WatchIndex, rawQuery: string): CachedList | undefined {
    const list = make(index, rawQuery)
    if (list !== undefined) kept.keep(rawQuery, list)
    return list
  }

  return { handle, prepare: (next, signal) => kept.prepare(next, (rawQuery) => make(next, rawQuery), signal) }
}

/** False where, during the charge, the client disconnected or sent bad input, to which the listener responded. */
function isWaiting(response: ServerResponse): boolean {
  return !response.writableEnded && !response.destroyed
}

/** The raw query of a request that can take the fast path; undefined for any other request. */
function findQuery(request: IncomingMessage): string | undefined {
  const { method, url = '' } = request
  if (method !== 'GET' || !url.startsWith(path)) return undefined
  if (findHeader(request, 'if-none-match') !== undefined) return undefined
  const accepted = findHeader(request, 'accept-encoding')
  if (accepted !== undefined) {
    const isPlain = chooseEncoding(accepted) === 'identity' && countHeader(request, 'accept-encoding') === 1
    if (!isPlain) return undefined
  }
  if (url.length === path.length) return ''
  return url[path.length] === '?' && !url.includes('#') ? url.slice(path.length + 1) : undefined
}

function makeList(
  index: WatchIndex,
  apiUrl: string,
  rawQuery: string,
  deprecation: Deprecation | undefined,
): CachedList | undefined {
  try {
    const { etag, make } = prepareListAnswer(index, apiUrl, rawQuery, allWatches)
    const { headers: own, page } = make()
    if (page === undefined) return undefined
    const headers = withDeprecation(deprecation, own)
    const all = ['content-length', String(lengthOfPage(index, page)), 'etag', etag]
    for (const name in headers) all.push(name, headers[name] as string)
    return { lines: headerLines(all), page }
  } catch {
    // The Fastify routes meet the same error and report it to the caller. Thrown here, it would end the process.
    return undefined
  }
}
