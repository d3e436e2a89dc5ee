// Imports the feeds that are due, one after the other, each in a process of its own, so that no import slows the service
// down; and emails the operators about failures.
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Mail } from '../mail/mail.ts'
import type { Database } from '../storage/database.ts'
import { isStopping } from '../storage/jobs.ts'
import { failureEmail } from './failure-email.ts'
import { findNewestRun, findRunAfter } from './feed-runs.ts'
import { dueAsBefore, type Feed, findDueFeed, findFeed, noteOutcome, putOff } from './feeds.ts'
import { runImportProcess } from './import-process.ts'

export interface FeedParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly mail: Mail
  /** The environment of the importing processes; by default that of this one. */
  readonly environment?: NodeJS.ProcessEnv
  readonly limits?: FeedLimits
}

interface FeedLimits {
  /** An import that takes longer is stopped, and has failed. */
  readonly importMaxMs: number
  /** After this time, no further import begins: the rest is left to the next run of the job. */
  readonly beginMaxMs: number
}

/** Together less than the hour after which a job is aborted. */
const defaultLimits: FeedLimits = { importMaxMs: 30 * 60_000, beginMaxMs: 20 * 60_000 }
/** A feed whose process dies with the service is due again after the longest import and this time. */
const putOffMs = 5 * 60_000
/** While a feed goes on failing, operators are told again after this time. */
const tellAgainMs = 24 * 3_600_000

/** A job of the whole service: one process at a time runs it. */
export async function runDueFeeds(parts: FeedParts, signal: AbortSignal): Promise<void> {
  const { database, clock, limits = defaultLimits } = parts
  const beginUntilMs = performance.now() + limits.beginMaxMs
  do {
    const feed = await findDueFeed(database.reader, clock)
    if (feed === undefined) return
    if (await putOff(database, clock, feed, limits.importMaxMs + putOffMs)) {
      await importFeed(parts, feed, limits, signal)
    }
  } while (!signal.aborted && performance.now() < beginUntilMs)
}

/**
 * An import goes on if only the claim of the job is lost: while a large import becomes visible, SQLite lets nobody renew
 * claims. It is stopped if this process stops, and is then due again at once.
 */
async function importFeed(
  parts: FeedParts,
  feed: Feed,
  { importMaxMs }: FeedLimits,
  signal: AbortSignal,
): Promise<void> {
  const { database, log, environment = process.env } = parts
  const newest = await findNewestRun(database.reader)
  const stopping = new AbortController()
  const onAbort = () => isStopping(signal) && stopping.abort()
  signal.addEventListener('abort', onAbort)
  const complaint = await runImportProcess(feed.id, environment, importMaxMs, stopping.signal).finally(() =>
    signal.removeEventListener('abort', onAbort),
  )
  const after = await findFeed(database.reader, feed.id)
  if (after === undefined) return
  if (after.ran_at === feed.ran_at) {
    if (stopping.signal.aborted) return void (await dueAsBefore(database, feed))
    await noteDeath(parts, feed, complaint, newest)
  }
  const told = (await findFeed(database.reader, feed.id)) ?? after
  log.info({ feed: told.id, result: told.result, run: told.run_id }, 'imported a feed')
  if (told.result === 'failed' || told.result === 'faulty') await tellOperators(parts, told)
}

/** The process ended before it could store its outcome; but its run may have become visible before. */
async function noteDeath(
  { database, clock }: FeedParts,
  feed: Feed,
  message: string,
  newest: number,
): Promise<void> {
  const run = await findRunAfter(database.reader, feed, newest)
  const result = run?.state === 'done' ? 'faulty' : 'failed'
  await noteOutcome(database, clock, feed, { result, message, run: run?.id })
}

async function tellOperators({ database, clock, log, mail }: FeedParts, feed: Feed): Promise<void> {
  if (feed.told_at !== null && clock.nowMs() - Date.parse(feed.told_at) < tellAgainMs) return
  const operators = await database.reader
    .selectFrom('accounts')
    .select('email')
    .where('role', '=', 'operator')
    .orderBy('email')
    .execute()
  let sent = 0
  for (const { email } of operators) {
    try {
      await mail.send(failureEmail(email, feed))
      sent++
    } catch (error) {
      log.warn({ err: error, feed: feed.id }, 'a feed failed, and an operator could not be told')
    }
  }
  if (sent === 0) return
  const told_at = clock.now().toISOString()
  await database.write((tx) => tx.updateTable('feeds').set({ told_at }).where('id', '=', feed.id).execute())
}
