// In charge of the short way of the most frequent request: a list of watches, by a key that is known, plain, to a
// caller who holds nothing yet. It has the same answer as the long way by the routes, in two thirds of the time;
// whatever is not quite so simple, every error among them, goes the long way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callers } from '../access/callers.ts'
import { Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { plainHeaders } from './answer.ts'
import { bearerKey } from './authenticate.ts'
import type { CatalogueParts } from './catalogue-parts.ts'
import { chooseEncoding } from './compress.ts'
import { corsHeaders } from './cors.ts'
import type { Handler } from './listener.ts'
import { type PreparedAnswer, prepareListAnswer } from './prepare-list.ts'
import { requestIdOf } from './request-id.ts'

export interface ShortWayParts extends CatalogueParts {
  readonly callers: Callers
  readonly isReady: () => boolean
  readonly metrics: Metrics
  readonly log: Log
}

const path = '/api/v1/watches'
const allWatches = () => ({ path: '/watches' })
/** The labels of the long way, so that both are counted together. */
const labels = { method: 'GET', route: path, status: 200 }

/** Handles what it can, and hands the rest to `longWay`. */
export function shortWay(parts: ShortWayParts, longWay: Handler): Handler {
  const apiUrl = `${parts.baseUrl}/api/v1`
  // Every request is logged at this level, which the long way does.
  const isLogged = parts.log.isLevelEnabled('debug')
  return (request, response) => {
    const startedMs = performance.now()
    const written = isLogged ? undefined : findQuery(request)
    if (written === undefined || !parts.isReady() || !isKnown(request, parts.callers)) {
      longWay(request, response)
      return
    }
    const prepared = prepare(parts, apiUrl, written)
    if (prepared === undefined) longWay(request, response)
    else {
      send(request, response, prepared)
      parts.metrics.requests.observe(labels, (performance.now() - startedMs) / 1_000)
    }
  }
}

/** What stands behind the `?` of a list that can go this way. */
function findQuery({ method, url = '', headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' || !url.startsWith(path) || headers['if-none-match'] !== undefined) return undefined
  if (headers['accept-encoding'] !== undefined && chooseEncoding(headers['accept-encoding']) !== 'identity') {
    return undefined
  }
  if (url.length === path.length) return ''
  return url[path.length] === '?' && !url.includes('#') ? url.slice(path.length + 1) : undefined
}

function isKnown(request: IncomingMessage, callers: Callers): boolean {
  const key = bearerKey(request)
  return key !== undefined && callers.findKnown(key) !== undefined
}

function prepare(parts: CatalogueParts, apiUrl: string, written: string): PreparedAnswer | undefined {
  try {
    return prepareListAnswer(parts.index(), apiUrl, written, allWatches)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function send(request: IncomingMessage, response: ServerResponse, { etag, make }: PreparedAnswer): void {
  const { headers, body } = make()
  const bytes = body()
  response
    .writeHead(200, {
      'x-request-id': requestIdOf(request),
      ...corsHeaders,
      ...plainHeaders,
      etag,
      ...headers,
      'content-length': bytes.length,
    })
    .end(bytes)
}
