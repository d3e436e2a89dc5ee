// Reads watches in pages of bounded size.
import type { Reader } from '../../storage/database.ts'
import { countRows } from '../../storage/tables.ts'
import { readWatchesAfter, type WatchRow } from '../watches.ts'

/** Watches read per page, and the most that are changed in one transaction. */
export const pageMax = 1_000

/** Called with the number of watches processed so far, and the total. */
export type OnProgress = (looked: number, whole: number) => void

/** Yields watches in order of id. Watches that are written meanwhile may or may not be among them. */
export function watchPages(reader: Reader): AsyncGenerator<readonly WatchRow[]> {
  return pagesById((after) => readWatchesAfter(reader, after, pageMax))
}

/** The same, and reports each page once the caller is done with it. */
export async function* watchPagesWithProgress(
  reader: Reader,
  onProgress: OnProgress,
): AsyncGenerator<readonly WatchRow[]> {
  const whole = await countRows(reader, 'watches')
  let looked = 0
  for await (const rows of watchPages(reader)) {
    yield rows
    looked += rows.length
    onProgress(looked, whole)
  }
}

/** `read` returns the next rows in order of id; none after the last. */
export async function* pagesById<Row extends { readonly id: number }>(
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.id
  }
}
