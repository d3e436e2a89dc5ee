// In charge of going over all watches in bounded steps.
import type { Reader } from '../../storage/database.ts'
import { readWatchesAfter, type WatchRow } from '../watches.ts'

/** So many are read, and at most so many are changed in one transaction. */
export const pageMax = 1_000

/** In order of id; those that are written meanwhile may or may not be among them. */
export async function* watchPages(reader: Reader): AsyncGenerator<readonly WatchRow[]> {
  for (let after = 0; ; ) {
    const rows = await readWatchesAfter(reader, after, pageMax)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.id
  }
}
