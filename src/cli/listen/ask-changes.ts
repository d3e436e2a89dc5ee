// Sends one request to the change feed of a service, and interprets the response for the caller that follows the feed.
import { Failure } from '../../errors.ts'
import { faultText } from './fetch-faults.ts'

export interface Feed {
  /** The base URL, including /api/v1. */
  readonly api: string
  readonly key: string
  /** The requested event types; empty for all types. */
  readonly types: readonly string[]
}

/** The reader's position in the feed. */
export interface Place {
  readonly cursor: string
  /** Whether there were no changes after the cursor. The next request then asks the service to wait for one. */
  readonly isEnd: boolean
}

/** A change as GET /changes returns it, with `watch_id` and `watch` or `brand_id` and `brand`. */
export interface FeedChange {
  readonly sequence: number
  readonly type: string
  readonly at: string
  readonly [member: string]: unknown
}

export type FeedResult =
  | { readonly kind: 'batch'; readonly changes: readonly FeedChange[]; readonly place: Place }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: number | undefined }

const batchMax = 100
/** How long the service may wait for a change before it responds without one. */
const waitSeconds = 10
const answerMaxMs = (waitSeconds + 20) * 1_000
const retryAfterMaxSeconds = 86_400

/** Throws a Failure for errors that retrying cannot fix, such as a wrong key. */
export async function requestChanges(feed: Feed, place: Place, signal: AbortSignal): Promise<FeedResult> {
  const address = `${feed.api}/changes?${query(feed, place)}`
  const headers = {
    authorization: `Bearer ${feed.key}`,
    // While there are no changes after the cursor, its ETag matches: the 304 response costs no quota.
    'if-none-match': `"${place.cursor}"`,
  }
  try {
    // Redirects are not followed: they might send the key to another host, or drop it.
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMaxMs)])
    const response = await fetch(address, { headers, redirect: 'manual', signal: limit })
    return await readAnswer(feed, place, response)
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error
    return { kind: 'later', why: `No response from ${feed.api} (${faultText(error)})`, afterMs: undefined }
  }
}

function query({ types }: Feed, { cursor, isEnd }: Place): URLSearchParams {
  return new URLSearchParams({
    since: cursor,
    limit: String(batchMax),
    ...(isEnd && { wait: String(waitSeconds) }),
    ...(types.length > 0 && { types: types.join(',') }),
  })
}

async function readAnswer(feed: Feed, place: Place, response: Response): Promise<FeedResult> {
  const { status, headers } = response
  if (status === 304) return { kind: 'nothing' }
  const text = await response.text()
  if (status === 200) return parseBatch(feed, text)
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(headers.get('retry-after'))
    const why = status === 429 ? 'No requests are left for now (429)' : `${feed.api} is not ready (${status})`
    return { kind: 'later', why, afterMs }
  }
  throw new Failure(refusal(feed, place, response, text))
}

function parseBatch(feed: Feed, text: string): FeedResult {
  const answer = parseJson(text) as
    | { data?: FeedChange[]; meta?: { next_cursor?: string; has_more?: boolean } }
    | undefined
  const { data, meta } = answer ?? {}
  const cursor = meta?.next_cursor
  const isFeed = Array.isArray(data) && data.every(({ type }) => typeof type === 'string')
  if (!isFeed || cursor === undefined || !/^[\w-]+$/.test(cursor)) throw new Failure(notWatchdata(feed))
  return { kind: 'batch', changes: data, place: { cursor, isEnd: meta?.has_more !== true } }
}

/** JSON functions of ES2026 that TypeScript's types do not have yet. */
const json = JSON as unknown as {
  parse(text: string, revive: (name: string, value: unknown, from: { source: string }) => unknown): unknown
  rawJSON(source: string): object
}

/** Keeps the source text of numbers: those in specs may exceed the precision of a double, or end in zeros. */
function parseJson(text: string): unknown {
  try {
    return json.parse(text, (_name, value, { source }) =>
      typeof value === 'number' && String(value) !== source ? json.rawJSON(source) : value,
    )
  } catch {
    return undefined
  }
}

function refusal(feed: Feed, { cursor }: Place, { status, headers }: Response, text: string): string {
  if (status === 401) return `${feed.api} does not know this key: set WATCHDATA_KEY to a valid one.`
  if (status === 403) return 'The plan of this key has no change feed: Pro and Platinum have it.'
  if (status === 410) {
    return `The change log no longer goes back to ${cursor}: start with --since now, or anew from an export.`
  }
  if (status === 422) {
    return `The service cannot go on from ${cursor}: ${fieldError(text)} Start with --since now, or anew from an export.`
  }
  const elsewhere = headers.get('location')
  if (elsewhere !== null) return `${feed.api} redirects to ${elsewhere}: give that address with --url.`
  return notWatchdata(feed)
}

/** The first field error of the response. */
function fieldError(text: string): string {
  const { errors } = (parseJson(text) ?? {}) as { errors?: Record<string, string[]> }
  return Object.values(errors ?? {}).flat()[0] ?? 'The cursor is not one of this database.'
}

function notWatchdata({ api }: Feed): string {
  return `${api} is not the API of a watchdata service: check --url.`
}

function retryAfterMs(raw: string | null): number | undefined {
  if (raw === null || !/^\d{1,9}$/.test(raw)) return undefined
  return Math.min(Number(raw), retryAfterMaxSeconds) * 1_000
}
