// Reads all watches in pages of bounded size.
import type { Reader } from '../../storage/database.ts'
import { readWatchesAfter, type WatchRow } from '../watches.ts'

/** Watches read per page, and the most that are changed in one transaction. */
export const pageMax = 1_000

/** Yields watches in order of id. Watches that are written meanwhile may or may not be among them. */
export async function* watchPages(reader: Reader): AsyncGenerator<readonly WatchRow[]> {
  for (let after = 0; ; ) {
    const rows = await readWatchesAfter(reader, after, pageMax)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.id
  }
}
