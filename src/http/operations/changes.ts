// Answers GET /changes: the change log in order, each change with the current state of its watch or brand. The log is
// read from the database, watches and brands from the index, and a change is not sent before the index has it: so a
// watch is never older than its change, and /changes never runs ahead of /watches in the same process.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { brandText, eventKind, eventMembers } from '../../catalogue/events.ts'
import { type Change, getHead, type Head, isInLog, readAfter, readMarks } from '../../changes/log.ts'
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { watchTexts } from '../../search/results/watch-lines.ts'
import type { Reader } from '../../storage/database.ts'
import { everyEvent, isSelected } from '../../webhooks/event-types.ts'
import { checkMarks, cursorText, getPlace, type Place, placeOf } from '../queries/change-cursor.ts'
import { type ChangesQuery, changesMax, parseChangesQuery } from '../queries/changes-query.ts'
import { bodyEtag } from '../responses/etag.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

/** With `types`, one request scans at most this many changes. */
const scannedMax = 5_000
/** A caller that waits for certain types is woken at most once in this time, not for every change of another type. */
const otherTypesMs = 1_000

export async function listChanges(call: Call, parts: ApiParts): Promise<Prepared | undefined> {
  const page = await awaitPage(parts, parseChangesQuery(call.rawQuery), call)
  // The client has disconnected.
  if (page === undefined) return undefined
  const content = Buffer.from(page.text)
  return { etag: etagOf(page, content), sequence: page.readAt, make: () => ({ headers: {}, content }) }
}

/**
 * Built from the bytes, so that all processes build the same ETag, however far each has read. An empty page at the
 * end of the log has its cursor as ETag: a caller that has read that far can send it with If-None-Match, and learns
 * free of charge that there is nothing new.
 */
function etagOf({ isEmpty, hasMore, next }: Page, body: Buffer): string {
  return isEmpty && !hasMore ? `"${cursorText(next)}"` : bodyEtag(body)
}

interface Page {
  /** The body of the response. */
  readonly text: string
  readonly isEmpty: boolean
  readonly hasMore: boolean
  /** The position at which the next page starts. */
  readonly next: Place
  /** The sequence of the index from which the page was read. */
  readonly readAt: number
}

/** Returns the page once it has changes or the time is up; undefined when the client has disconnected. */
async function awaitPage(
  parts: ApiParts,
  query: ChangesQuery,
  { caller, response }: Call,
): Promise<Page | undefined> {
  const { reader } = parts.database
  const untilMs = performance.now() + query.waitMs
  const leftMs = () => untilMs - performance.now()
  const start = await getPlace(query.since, parts.index().head, {
    readHead: () => getHead(reader),
    readMarks: (sequence) => readMarks(reader, [sequence]),
  })
  let page = await readPage(parts, query, start)
  while (page.isEmpty && !page.hasMore && leftMs() > 0) {
    // The index may have advanced since the page was read.
    if (!isBefore(page.next, parts.index().head)) {
      const end = await parts.polls.wait(caller.accountId, leftMs(), response)
      if (end === 'gone') return undefined
      if (end !== 'change') break
    }
    if (query.selectors !== everyEvent) await delay(Math.min(otherTypesMs, Math.max(leftMs(), 0)))
    page = await readPage(parts, query, page.next)
  }
  // The wait ended without a matching change: respond as if nothing had happened since `start`, even where changes of
  // other types passed.
  return page.isEmpty && !page.hasMore && query.waitMs > 0 ? nothingAfter(start, page.readAt) : page
}

async function readPage(parts: ApiParts, query: ChangesQuery, from: Place): Promise<Page> {
  const { reader } = parts.database
  const { head } = parts.index()
  if (!isBefore(from, head)) return nothingAfter(from, head.sequence)
  const { changes, through } = await readSelected(reader, query, from, head.sequence)
  const marks = await readMarks(reader, [head.sequence, from.sequence])
  // Again: the caller may have waited here while a failover lost the change that its cursor is of.
  checkMarks(from, marks)
  const index = parts.index()
  // The log is not the one that the index was made of: until the index has noticed, there is nothing to send.
  if (!isInLog(head, marks) || index.head.epoch !== head.epoch) return nothingAfter(from, head.sequence)
  const next = { ...from, ...through }
  const readAt = index.head.sequence
  const hasMore = isBefore(next, index.head)
  const ofWatches = changes.filter((change) => eventKind(change) === 'watch')
  const watches = watchTexts(
    index,
    ofWatches.map(({ subjectId }) => subjectId),
  )
  const data = changes.map((change) => changeText(index, watches, change)).join()
  return { text: pageText(data, next, hasMore), isEmpty: changes.length === 0, hasMore, next, readAt }
}

/** Also used where this process lags behind the one that issued the cursor: a cursor must never move back. */
function nothingAfter(from: Place, readAt: number): Page {
  return { text: pageText('', from, false), isEmpty: true, hasMore: false, next: from, readAt }
}

function isBefore({ life, sequence }: Place, head: Head): boolean {
  const place = placeOf(head)
  return life === place.life && sequence < place.sequence
}

/**
 * Reads the changes after `from` up to `last`, in steps that do not block the event loop for long. `through` is
 * the last change that was read.
 */
async function readSelected(reader: Reader, { limit, selectors }: ChangesQuery, from: Place, last: number) {
  const changes: Change[] = []
  const isEvery = selectors === everyEvent
  const end = Math.min(last, from.sequence + (isEvery ? limit : scannedMax))
  let through = placeAt(from)
  while (through.sequence < end) {
    const step = await readAfter(reader, through.sequence, Math.min(end - through.sequence, changesMax))
    const [first] = step
    // Old changes are removed from the log: the caller has missed some.
    if (first !== undefined && first.sequence > through.sequence + 1) throw new Problem('log_too_short')
    for (const change of step) {
      if (!isEvery && !isSelected(selectors, change.type)) continue
      changes.push(change)
      if (changes.length === limit) return { changes, through: placeAt(change) }
    }
    const newest = step.at(-1)
    if (newest === undefined) break
    through = placeAt(newest)
    if (through.sequence < end) await setImmediate()
  }
  return { changes, through }
}

function placeAt({ sequence, commitId }: Pick<Place, 'sequence' | 'commitId'>) {
  return { sequence, commitId }
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
