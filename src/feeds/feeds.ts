// Stores the feeds: addresses from which files are imported periodically, and what came of the last time.
import type { Generated, Selectable } from 'kysely'
import type { Clock } from '../clock.ts'
import { Failure } from '../errors.ts'
import type { Sealer } from '../seal.ts'
import type { Database, Reader, Tables } from '../storage/database.ts'
import { shownAddress, type Validators } from './download.ts'

declare module '../storage/database.ts' {
  interface Tables {
    feeds: {
      id: Generated<number>
      kind: FeedKind
      /** The address, encrypted: it may contain a password or a token. */
      sealed_url: string
      /** The address without its secrets. */
      shown_url: string
      every_minutes: number
      options: string
      who: string
      created_at: string
      due_at: string
      is_paused: number
      etag: string | null
      last_modified: string | null
      /** The run that imported the file to which the validators belong. */
      imported_run_id: number | null
      ran_at: string | null
      result: FeedResult | null
      message: string | null
      run_id: number | null
      /** How many times in a row the result was the same one that is not good. */
      failures: number
      /** When operators were last told of this result; null if they were not. */
      told_at: string | null
    }
  }
}

export type FeedKind = 'watches' | 'prices'
/**
 * `faulty`: the file was imported, but not all of it as it was meant. `unchanged`: the server said that the file is the
 * same as the last time. `failed`: nothing of it was imported.
 */
type FeedResult = 'done' | 'faulty' | 'unchanged' | 'failed'

export interface Feed extends Omit<Selectable<Tables['feeds']>, 'options' | 'is_paused'> {
  /** The options of the import, by their names on the command line. */
  readonly options: Readonly<Record<string, unknown>>
  readonly isPaused: boolean
}

export interface NewFeed extends Pick<Feed, 'kind' | 'every_minutes' | 'options' | 'who'> {
  readonly url: string
}

export interface FeedOutcome extends Validators {
  readonly result: FeedResult
  readonly message?: string | undefined
  readonly run?: number | undefined
}

const minuteMs = 60_000

/** The first import is due at once. */
export function addFeed(
  database: Database,
  clock: Clock,
  sealer: Sealer,
  { url, ...feed }: NewFeed,
): Promise<number> {
  const now = clock.now().toISOString()
  return database.write(async (tx) => {
    const { id } = await tx
      .insertInto('feeds')
      .values({
        ...feed,
        sealed_url: sealer.seal(url),
        shown_url: shownAddress(url),
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

/** Returns the address with its secrets. */
export function openAddress({ id, sealed_url }: Feed, sealer: Sealer): string {
  try {
    return sealer.open(sealed_url)
  } catch {
    throw new Failure(
      `The address of feed ${id} cannot be decrypted: was SESSION_SECRET changed? Set the former one, or remove the feed and add it again.`,
    )
  }
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

/**
 * Puts off a feed that is about to be imported, so that it does not come first again if its process dies. Returns false
 * if another process was quicker.
 */
export function putOff(database: Database, clock: Clock, { id, due_at }: Feed, ms: number): Promise<boolean> {
  return database.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('feeds')
      .set({ due_at: new Date(clock.nowMs() + ms).toISOString() })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Makes a feed due again at its former time. */
export function dueAsBefore(database: Database, { id, due_at }: Feed): Promise<unknown> {
  return database.write((tx) => tx.updateTable('feeds').set({ due_at }).where('id', '=', id).execute())
}

/** Stores what came of an import, and when the next one is due. */
export async function noteOutcome(
  database: Database,
  clock: Clock,
  { id, every_minutes, failures, result: former }: Feed,
  outcome: FeedOutcome,
): Promise<void> {
  const now = clock.nowMs()
  const { result, message, run } = outcome
  const isGood = result === 'done' || result === 'unchanged'
  await database.write((tx) =>
    tx
      .updateTable('feeds')
      .set({
        ran_at: new Date(now).toISOString(),
        due_at: new Date(now + every_minutes * minuteMs).toISOString(),
        result,
        message: message ?? null,
        run_id: run ?? null,
        failures: isGood ? 0 : result === former ? failures + 1 : 1,
        ...(isGood || result !== former ? { told_at: null } : {}),
        ...validatorsAfter(outcome),
      })
      .where('id', '=', id)
      .execute(),
  )
}

/**
 * Once a run has begun, the validators of the file before it are outdated. Those of its own file are kept only if all of
 * the file was imported: otherwise it is fetched again even if it stays the same, because a setting may have changed.
 */
function validatorsAfter({ result, run, etag, lastModified }: FeedOutcome) {
  if (run === undefined) return {}
  return result === 'done'
    ? { etag: etag ?? null, last_modified: lastModified ?? null, imported_run_id: run }
    : { etag: null, last_modified: null, imported_run_id: null }
}

function toFeed({ options, is_paused, ...row }: Selectable<Tables['feeds']>): Feed {
  return { ...row, options: JSON.parse(options), isPaused: is_paused === 1 }
}
