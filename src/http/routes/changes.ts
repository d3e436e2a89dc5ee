// GET /changes: the change log in order, each change with its watch or brand as it is now. The log is read from the
// database, what it is about from the index, and nothing is told that the index does not know yet: so a watch is never
// older than the change that tells of it, and what a process tells here it tells of /watches too.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import { brandText, eventKind, eventMembers } from '../../catalogue/events.ts'
import { type Change, getHead, type Head, readAfter } from '../../changes/log.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { watchTexts } from '../../search/results/watch-texts.ts'
import type { Reader } from '../../storage/database.ts'
import { everyEvent, isSelected } from '../../webhooks/event-types.ts'
import type { CatalogueParts } from '../api/catalogue-context.ts'
import type { WaitingRoom } from '../api/long-polls.ts'
import { sendAnswer } from '../api/send-response.ts'
import { cursorText, getPlace, type Place, placeOf } from '../queries/change-cursor.ts'
import { type ChangesQuery, changesMax, parseChangesQuery } from '../queries/changes-query.ts'
import { writtenQuery } from '../queries/raw-query.ts'
import { bodyEtag } from '../responses/etag.ts'

export interface ChangeParts extends CatalogueParts {
  readonly reader: Reader
  readonly room: WaitingRoom
}

/** With `types`, one request goes past so many changes at most. */
const lookedAtMax = 5_000
/** Who waits for some types only is not called for every change of another. */
const otherTypesMs = 1_000

export function changeRoute(app: FastifyInstance, parts: ChangeParts): void {
  app.get('/changes', async (request, reply) => {
    const query = parseChangesQuery(writtenQuery(request))
    const page = await awaitPage(parts, query, request, reply)
    // Nobody is there to be answered.
    if (page === undefined) return undefined
    const body = Buffer.from(page.text)
    const prepared = { etag: etagOf(page, body), make: () => ({ headers: {}, body: () => body }) }
    return sendAnswer(request, reply, parts, () => prepared)
  })
}

/**
 * By its bytes: all processes give it one name, however far each of them has come. The end of the log is named by its cursor,
 * which whoever has read up to there knows before he asks: so it costs him nothing to learn that there is nothing more.
 */
function etagOf({ isEmpty, hasMore, next }: Page, body: Buffer): string {
  return isEmpty && !hasMore ? `"${cursorText(next)}"` : bodyEtag(body)
}

interface Page {
  /** The body of the answer. */
  readonly text: string
  readonly isEmpty: boolean
  readonly hasMore: boolean
  /** Where the next one goes on. */
  readonly next: Place
}

/** The page, once there is one or the time is up; undefined when the client is gone. */
async function awaitPage(
  parts: ChangeParts,
  query: ChangesQuery,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Page | undefined> {
  const untilMs = performance.now() + query.waitMs
  const leftMs = () => untilMs - performance.now()
  const { accountId } = request.caller as Caller
  const start = await getPlace(query.since, parts.index().head, () => getHead(parts.reader))
  let page = await readPage(parts, query, start)
  while (page.isEmpty && !page.hasMore && leftMs() > 0) {
    // It may have come further since the page was read.
    if (!isBefore(page.next, parts.index().head)) {
      const end = await parts.room.wait(accountId, leftMs(), reply.raw)
      if (end === 'gone') return undefined
      if (end !== 'change') break
    }
    if (query.selectors !== everyEvent) await delay(Math.min(otherTypesMs, Math.max(leftMs(), 0)))
    page = await readPage(parts, query, page.next)
  }
  // What was waited for did not come: where only others passed, nothing is new to the caller.
  return page.isEmpty && !page.hasMore && query.waitMs > 0 ? nothingAfter(start) : page
}

async function readPage(parts: ChangeParts, query: ChangesQuery, from: Place): Promise<Page> {
  const { head } = parts.index()
  if (!isBefore(from, head)) return nothingAfter(from)
  const { changes, through } = await readSelected(parts.reader, query, from.sequence, head.sequence)
  const log = await getHead(parts.reader)
  const index = parts.index()
  // Not the log of this index any more: until the index has noticed, there is nothing to be told.
  if (log.epoch !== head.epoch || log.sequence < head.sequence || index.head.epoch !== head.epoch) {
    return nothingAfter(from)
  }
  const next = { ...from, sequence: through }
  const hasMore = isBefore(next, index.head)
  const ofWatches = changes.filter((change) => eventKind(change) === 'watch')
  const watches = watchTexts(
    index,
    ofWatches.map(({ subjectId }) => subjectId),
  )
  const data = changes.map((change) => changeText(index, watches, change)).join()
  return { text: pageText(data, next, hasMore), isEmpty: changes.length === 0, hasMore, next }
}

/** Also where a process has not come as far as the one that gave the cursor: it must never be told to go back. */
function nothingAfter(from: Place): Page {
  return { text: pageText('', from, false), isEmpty: true, hasMore: false, next: from }
}

function isBefore({ life, sequence }: Place, head: Head): boolean {
  const place = placeOf(head)
  return life === place.life && sequence < place.sequence
}

interface Selected {
  readonly changes: readonly Change[]
  /** Of the last change that was looked at. */
  readonly through: number
}

/** Changes after one sequence and not after another, in steps that hold up nobody for long. */
async function readSelected(
  reader: Reader,
  { limit, selectors }: ChangesQuery,
  after: number,
  last: number,
): Promise<Selected> {
  const changes: Change[] = []
  const isEvery = selectors === everyEvent
  const end = Math.min(last, after + (isEvery ? limit : lookedAtMax))
  let through = after
  while (through < end) {
    const step = await readAfter(reader, through, Math.min(end - through, changesMax))
    for (const change of step) {
      if (!isEvery && !isSelected(selectors, change.type)) continue
      changes.push(change)
      if (changes.length === limit) return { changes, through: change.sequence }
    }
    through = step.at(-1)?.sequence ?? end
    if (through < end) await setImmediate()
  }
  return { changes, through }
}

function pageText(data: string, next: Place, hasMore: boolean): string {
  return `{"data":[${data}],"meta":{"next_cursor":"${cursorText(next)}","has_more":${hasMore}}}`
}

function changeText({ brands }: WatchIndex, watches: ReadonlyMap<number, string>, change: Change): string {
  const { sequence, type, at, subjectId } = change
  const brand = eventKind(change) === 'brand' ? brands.find(subjectId) : undefined
  const subject = eventKind(change) === 'watch' ? watches.get(subjectId) : brand && brandText(brand)
  return `{"sequence":${sequence},"type":"${type}","at":"${at}",${eventMembers(change, subject)}}`
}
