// Reads the changes of a service in batches, each with the cursor after it. What was read before an error is handed out
// before the error is thrown: it has cost quota.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChangeList, RateLimitError } from '../../../sdk/src/index.ts'
import { Failure } from '../../errors.ts'
import { visible } from '../catalogue-texts.ts'
import { tell } from '../output.ts'
import type { ChangedWatch, ChangedWatches } from './copy.ts'
import type { Connection } from './open-connection.ts'
import { isPassing, notWatchdata, reasonOf } from './sync-faults.ts'

export interface Batch {
  readonly changes: ChangedWatches
  readonly cursor: string
  /** Whether there was nothing after this batch when it was read. */
  readonly isLast: boolean
}

export interface ChangesWanted {
  readonly since: string
  /** A batch has at most this many changes, and the rest of a page. */
  readonly batchMax: number
  /** Goes on after the last change, and waits for the next. */
  readonly isFollowing: boolean
}

const pageMax = 500
const waitSeconds = 10
/** The minimum time between requests without changes, for a service that responds at once instead of waiting. */
const idleMinMs = 1_000
const firstDelayMs = 500
const delayMaxMs = 30_000
const retryAfterMaxMs = 3_600_000

interface Place {
  readonly cursor: string
  /** Whether there were no changes after the cursor. */
  readonly isLast: boolean
}

/** The first batch is yielded even if it is empty. */
export async function* readChanges(
  connection: Connection,
  { since, batchMax, isFollowing }: ChangesWanted,
): AsyncGenerator<Batch, void> {
  let place: Place = { cursor: since, isLast: false }
  for (let isFirst = true; ; isFirst = false) {
    const { cursor: start } = place
    const changes = new Map<number, ChangedWatch>()
    let fault: { readonly error: unknown } | undefined
    try {
      do place = await readPage(connection, place, changes, isFollowing)
      while (!place.isLast && changes.size < batchMax)
    } catch (error) {
      fault = { error }
    }
    if (place.cursor !== start || (isFirst && fault === undefined)) yield { changes, ...place }
    if (fault !== undefined) throw fault.error
    if (place.isLast && !isFollowing) return
  }
}

/** Adds the changes after `place` to `changes`, and returns where they end. */
async function readPage(
  connection: Connection,
  place: Place,
  changes: Map<number, ChangedWatch>,
  isFollowing: boolean,
): Promise<Place> {
  const askedMs = performance.now()
  const wait = isFollowing && place.isLast ? waitSeconds : 0
  const ask = () => requestPage(connection, place.cursor, wait)
  const list = isFollowing ? await withRetry(connection, ask) : await ask()
  for (const { watch_id: id, watch } of list?.data ?? []) {
    if (id !== undefined) changes.set(id, watch ?? undefined)
  }
  const { next_cursor: cursor = place.cursor, has_more: hasMore = false } = list?.meta ?? {}
  const idleMs = performance.now() - askedMs
  if (wait > 0 && cursor === place.cursor && idleMs < idleMinMs) {
    await sleep(idleMinMs - idleMs, undefined, { signal: connection.signal })
  }
  return { cursor, isLast: !hasMore }
}

/** Undefined if nothing has changed: the cursor is then the ETag, and the response costs no quota. */
async function requestPage(
  { client, api, signal }: Connection,
  since: string,
  wait: number,
): Promise<ChangeList | undefined> {
  const query = { since, limit: pageMax, types: ['watch.*'], ...(wait > 0 && { wait }) } as const
  const call = client.changes.list(query, { signal, headers: { 'if-none-match': `"${since}"` } })
  const { data: list, response } = await call.withResponse()
  if (response.status === 304) return undefined
  if (!isChangeList(list)) throw new Failure(notWatchdata(api))
  return list
}

/** A change without its watch must not be taken for a deletion. */
function isChangeList(list: Partial<ChangeList> | undefined): boolean {
  const isWhole = list?.data?.every(
    ({ watch_id: id, watch }) => Number.isSafeInteger(id) && watch !== undefined,
  )
  return isWhole === true && typeof list?.meta?.next_cursor === 'string'
}

/** Retries for as long as it takes. Reports each new reason for waiting once, and when the service is back. */
async function withRetry<T>({ api, signal }: Connection, ask: () => Promise<T>): Promise<T> {
  let told: string | undefined
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMaxMs)) {
    try {
      const result = await ask()
      if (told !== undefined) tell(`${api} responds again.`)
      return result
    } catch (error) {
      if (!isPassing(error)) throw error
      const reason = reasonOf(error, api)
      if (reason !== told) tell(`${visible(reason)}: trying again.`)
      told = reason
      const askedMs = error instanceof RateLimitError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
      await sleep(Math.max(delayMs, Math.min(askedMs, retryAfterMaxMs)), undefined, { signal })
    }
  }
}
