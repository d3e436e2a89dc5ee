// Stores the feeds: addresses from which files are imported periodically, and what came of the last time.
import type { Generated, Selectable } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database, Reader, Tables } from '../storage/database.ts'
import type { Validators } from './download.ts'

declare module '../storage/database.ts' {
  interface Tables {
    feeds: {
      id: Generated<number>
      kind: FeedKind
      url: string
      every_minutes: number
      options: string
      who: string
      created_at: string
      due_at: string
      is_paused: number
      etag: string | null
      last_modified: string | null
      ran_at: string | null
      result: FeedResult | null
      message: string | null
      run_id: number | null
      /** Failures in a row. */
      failures: number
      /** When operators were last told of a failure; null if they were not, or it has worked since. */
      told_at: string | null
    }
  }
}

export type FeedKind = 'watches' | 'prices'
/** `unchanged`: the server said that the file is the same as the last time. */
type FeedResult = 'done' | 'unchanged' | 'failed'

export interface Feed extends Omit<Selectable<Tables['feeds']>, 'options' | 'is_paused'> {
  /** The options of the import, by their names on the command line. */
  readonly options: Readonly<Record<string, unknown>>
  readonly isPaused: boolean
}

export interface NewFeed extends Pick<Feed, 'kind' | 'url' | 'every_minutes' | 'options' | 'who'> {}

export interface FeedOutcome extends Validators {
  readonly result: FeedResult
  readonly message?: string | undefined
  readonly run?: number | undefined
}

const minuteMs = 60_000

/** The first import is due at once. */
export function addFeed(database: Database, clock: Clock, feed: NewFeed): Promise<number> {
  const now = clock.now().toISOString()
  return database.write(async (tx) => {
    const { id } = await tx
      .insertInto('feeds')
      .values({
        ...feed,
        options: JSON.stringify(feed.options),
        created_at: now,
        due_at: now,
        is_paused: 0,
        failures: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

export async function listFeeds(reader: Reader): Promise<Feed[]> {
  return (await reader.selectFrom('feeds').selectAll().orderBy('id').execute()).map(toFeed)
}

export async function findFeed(reader: Reader, id: number): Promise<Feed | undefined> {
  const row = await reader.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toFeed(row)
}

/** Returns the feed that has been due the longest. */
export async function findDueFeed(reader: Reader, clock: Clock): Promise<Feed | undefined> {
  const row = await reader
    .selectFrom('feeds')
    .selectAll()
    .where('is_paused', '=', 0)
    .where('due_at', '<=', clock.now().toISOString())
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row && toFeed(row)
}

/** Returns false if there is no such feed. */
export function removeFeed(database: Database, id: number): Promise<boolean> {
  return database.write(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('feeds').where('id', '=', id).executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
}

/** Returns false if there is no such feed. A feed that goes on is due at once. */
export function pauseFeed(database: Database, clock: Clock, id: number, isPaused: boolean): Promise<boolean> {
  return database.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('feeds')
      .set({ is_paused: isPaused ? 1 : 0, ...(isPaused ? {} : { due_at: clock.now().toISOString() }) })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Stores what came of an import, and when the next one is due. */
export async function noteOutcome(
  database: Database,
  clock: Clock,
  { id, every_minutes, failures }: Feed,
  { result, message, run, etag, lastModified }: FeedOutcome,
): Promise<void> {
  const now = clock.nowMs()
  const isFailed = result === 'failed'
  await database.write((tx) =>
    tx
      .updateTable('feeds')
      .set({
        ran_at: new Date(now).toISOString(),
        due_at: new Date(now + every_minutes * minuteMs).toISOString(),
        result,
        message: message ?? null,
        run_id: run ?? null,
        failures: isFailed ? failures + 1 : 0,
        ...(isFailed ? {} : { told_at: null }),
        // A file that could not be imported is fetched again, even if it stays the same: the mapping may change.
        ...(result === 'done' ? { etag: etag ?? null, last_modified: lastModified ?? null } : {}),
      })
      .where('id', '=', id)
      .execute(),
  )
}

function toFeed({ options, is_paused, ...row }: Selectable<Tables['feeds']>): Feed {
  return { ...row, options: JSON.parse(options), isPaused: is_paused === 1 }
}
