// Finds the runs that a feed has made, and whether one was undone since. A run names the feed as the one who imported.
import type { RunState } from '../catalogue/runs/run-log.ts'
import type { Reader } from '../storage/database.ts'
import type { Feed } from './feeds.ts'

/** Undos that are looked at. With more of them than that since the last import, the feed counts as undone. */
const undosMax = 1_000

/** Who imports, as the log of runs names it. */
export function nameInLog({ id }: Pick<Feed, 'id'>): string {
  return `feed ${id}`
}

/** Returns the newest run of all, whoever made it; 0 if there is none. */
export async function findNewestRun(reader: Reader): Promise<number> {
  const newest = await reader
    .selectFrom('runs')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id ?? 0
}

/** Returns the last run of the feed that is newer than this one. */
export function findRunAfter(
  reader: Reader,
  feed: Feed,
  id: number,
): Promise<{ readonly id: number; readonly state: RunState } | undefined> {
  return reader
    .selectFrom('runs')
    .select(['id', 'state'])
    .where('who', '=', nameInLog(feed))
    .where('id', '>', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether a run of the feed was undone after the file that its validators describe was imported. */
export async function isUndone(reader: Reader, feed: Feed): Promise<boolean> {
  if (feed.imported_run_id === null) return false
  const undos = await reader
    .selectFrom('runs')
    .select('details')
    .where('kind', '=', 'undo')
    .where('id', '>', feed.imported_run_id)
    .limit(undosMax)
    .execute()
  if (undos.length === undosMax) return true
  const ids = undos.flatMap(({ details }) => JSON.parse(details).undoes ?? [])
  if (ids.length === 0) return false
  const own = await reader
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', ids)
    .where('who', '=', nameInLog(feed))
    .limit(1)
    .execute()
  return own.length > 0
}
