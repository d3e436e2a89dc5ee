// Reads the JSON of watches, the same as in a list: of all watches in order of id, in batches, or of given ids.
// Each batch takes the current index, so that a long export continues after the index was replaced.
import type { WatchIndex } from '../index/watch-index.ts'

export interface WatchLines {
  /** One watch per line, each as in a list; may be empty before the end. */
  readonly lines: Buffer
  /** The `afterId` of the next batch. */
  readonly lastId: number
}

/** Rows per batch: they fit into a response buffer, and joining them takes a fraction of a millisecond. */
const rowsMax = 256
/** Ordinals checked per batch. Deleted rows are skipped quickly, but there may be a million in succession. */
const scannedMax = 65_536
const linesBytes = 192 * 1024
/** The size of `memory` that suffices unless a watch is very large. */
export const linesMemoryBytes: number = 224 * 1024
const noLines = Buffer.alloc(0)
/** Watches per batch; most batches of this size fit into the memory. */
const textsMax = 128
/** Shared by all calls: it is copied into strings as soon as it is written. */
const textsMemory = Buffer.allocUnsafeSlow(linesMemoryBytes)

/**
 * Returns the next watches with an id above `afterId` and up to `throughId`; undefined if there are no more. Each batch
 * overwrites the previous one in `memory`, so an export needs no more memory than that, however long it is.
 */
export function findWatchesAfter(
  index: WatchIndex,
  afterId: number,
  throughId: number,
  memory: Buffer,
): WatchLines | undefined {
  const { columns, rows } = index
  const first = columns.after(afterId)
  const end = Math.min(columns.after(throughId), first + scannedMax)
  if (first >= end) return undefined
  const found: number[] = []
  let [ordinal, bytes] = [first, 0]
  for (; ordinal < end && found.length < rowsMax && bytes < linesBytes; ordinal++) {
    if (!rows.has(ordinal)) continue
    found.push(ordinal)
    bytes += rows.lengthAt(ordinal)
  }
  const lines = found.length === 0 ? noLines : rows.lines(rows.locate(Uint32Array.from(found)), memory)
  return { lines, lastId: columns.id(ordinal - 1) }
}

/** Returns the highest id, even of a deleted watch; 0 if there is none. */
export function lastIdOf({ columns }: WatchIndex): number {
  return columns.used === 0 ? 0 : columns.id(columns.used - 1)
}

/**
 * Returns the JSON texts of these watches by id, without deleted watches. Joining them in batches takes a fraction of the
 * time that joining them one by one takes.
 */
export function watchTexts(index: WatchIndex, ids: Iterable<number>): Map<number, string> {
  const ordinals: number[] = []
  for (const id of new Set(ids)) {
    const ordinal = index.findOrdinal(id)
    if (ordinal !== undefined) ordinals.push(ordinal)
  }
  const texts = new Map<number, string>()
  for (let start = 0; start < ordinals.length; start += textsMax) {
    const joined = Uint32Array.from(ordinals.slice(start, start + textsMax))
    const lines = index.rows.lines(index.rows.locate(joined), textsMemory).toString().split('\n')
    for (const [at, ordinal] of joined.entries()) texts.set(index.columns.id(ordinal), lines[at] as string)
  }
  return texts
}
