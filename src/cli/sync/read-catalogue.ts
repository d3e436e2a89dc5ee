// Reads all watches of a service, ordered by id: with the export, or page by page where the plan does not include it.
import {
  ConnectionError,
  PlanError,
  type RateLimit,
  type Watch,
  WatchdataError,
  type WatchExport,
} from '../../../sdk/src/index.ts'
import { Failure } from '../../errors.ts'
import { counted, grouped, moment } from '../catalogue-texts.ts'
import type { Connection } from './open-connection.ts'
import { notWatchdata } from './sync-faults.ts'

export interface Catalogue {
  readonly watches: AsyncIterable<Watch>
  /** Where to read changes from. */
  readonly cursor: string
  /** Undefined if it is not known. */
  readonly total: number | undefined
}

const perPage = 100

/** Sends the first request, so that a plan without the export is known before anything is written. */
export async function openCatalogue(connection: Connection): Promise<Catalogue> {
  const { client, signal, api } = connection
  const exported = client.export({ signal })
  const rows = exported[Symbol.asyncIterator]()
  try {
    const first = await rows.next()
    return {
      watches: inOrder(afterFirst(first, rows), api),
      cursor: cursorOf(exported, api),
      total: undefined,
    }
  } catch (error) {
    if (error instanceof PlanError) return openPages(connection)
    // The response is that of something else: it has no cursor, or ends without the end of a line.
    const isNoExport =
      error instanceof WatchdataError && error.status === undefined && error.cause === undefined
    throw isNoExport ? new Failure(notWatchdata(api)) : error
  }
}

function cursorOf(exported: WatchExport, api: string): string {
  try {
    return exported.cursor
  } catch {
    throw new Failure(notWatchdata(api))
  }
}

async function* afterFirst(
  first: IteratorResult<Watch, void>,
  rest: AsyncGenerator<Watch, void>,
): AsyncGenerator<Watch, void> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** The cursor is taken before the first page: whatever changes meanwhile is among the changes since. */
async function openPages({ client, signal, api }: Connection): Promise<Catalogue> {
  const { data: start, response } = await client.changes
    .list({ since: 'now', limit: 1 }, { signal })
    .withResponse()
  const cursor = start.meta.next_cursor
  const sequence = response.headers.get('x-catalogue-sequence')
  // Another process of the service may not have the changes before the cursor yet: it has to wait for them.
  const headers = sequence === null ? {} : { 'x-min-sequence': sequence }
  const list = client.watches.list({ after: 0, per_page: perPage }, { signal, headers })
  const { data: first, rateLimit, response: page } = await list.withResponse()
  // A test key costs no quota.
  if (!page.headers.has('x-test-mode')) refuseTooMany(first.meta.total, rateLimit)
  async function* rows() {
    for await (const { data } of list.pages()) yield* data
  }
  return { watches: inOrder(rows(), api), cursor, total: first.meta.total }
}

/** A copy that the quota of a day is not enough for would never be complete. */
function refuseTooMany(total: number, rateLimit: RateLimit | undefined): void {
  const needed = Math.ceil(total / perPage) - 1
  if (rateLimit === undefined || needed <= rateLimit.remaining) return
  const { limit, remaining, resetAt } = rateLimit
  const pages = `To read ${grouped(total)} watches page by page takes ${counted(needed, 'more request', 'more requests')}`
  const left = `${grouped(remaining)} are left until ${moment(resetAt.toISOString())}`
  throw new Failure(
    needed < limit
      ? `${pages}, and ${left}: run the command again then.`
      : `${pages}, and your plan has ${grouped(limit)} a day: a copy needs the export of Platinum.`,
  )
}

/** Changes are merged into the copy by id, so its order must be right. */
async function* inOrder(watches: AsyncIterable<Watch>, api: string): AsyncGenerator<Watch, void> {
  let last = 0
  for await (const watch of watches) {
    if (!Number.isSafeInteger(watch.id)) throw new Failure(notWatchdata(api))
    if (watch.id <= last) throw new ConnectionError('the watches are not ordered by id')
    last = watch.id
    yield watch
  }
}
