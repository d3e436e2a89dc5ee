// In charge of all watches in order of id, some at a time: each step looks at the index as it is then, so that whoever
// goes through a large catalogue goes on in an index that has taken the place of the one he began with.
import type { WatchIndex } from '../index/watch-index.ts'

export interface WatchLines {
  /** One watch a line, each as a list has it; may be empty before the end. */
  readonly lines: Buffer
  /** Where to go on. */
  readonly lastId: number
}

/** What fits into the memory that answers are joined in, and is joined in a fraction of a millisecond. */
const rowsMax = 256
/** Rows that are gone take no time to speak of, and there may be a million in a row. */
const lookedAtMax = 65_536
const linesBytes = 192 * 1024
/** Enough unless a watch is very large. */
export const linesMemoryBytes: number = 224 * 1024
const noLines = Buffer.alloc(0)

/**
 * Lines of the next watches with an id above `afterId` and not above `throughId`; undefined when there are none left.
 * They are written into `memory`, and so are the next: an export needs no more than that, however long it is.
 */
export function findWatchesAfter(
  index: WatchIndex,
  afterId: number,
  throughId: number,
  memory: Buffer,
): WatchLines | undefined {
  const { columns, rows } = index
  const first = columns.after(afterId)
  const end = Math.min(columns.after(throughId), first + lookedAtMax)
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

/** The highest id that there is, or was; 0 where there is none. */
export function lastIdOf({ columns }: WatchIndex): number {
  return columns.used === 0 ? 0 : columns.id(columns.used - 1)
}
