// Merges changed watches into the lines of a copy. Both are ordered by id, so only the changes are held in memory.
import { Failure } from '../../errors.ts'
import type { Tally } from './copy.ts'

export interface ChangedLine {
  readonly id: number
  /** Undefined if the watch was deleted. */
  readonly line: string | undefined
}

/** Yields the new lines, and counts in `tally` what became different. */
export async function* mergeLines(
  old: AsyncIterable<readonly string[]>,
  changes: readonly ChangedLine[],
  tally: Tally,
  name: string,
): AsyncGenerator<string, void> {
  let at = 0
  let last = 0
  const added = function* (beforeId: number) {
    for (; at < changes.length; at++) {
      const { id, line } = changes[at] as ChangedLine
      if (id >= beforeId) return
      if (line === undefined) continue
      tally.added++
      yield line
    }
  }
  for await (const lines of old) {
    for (const line of lines) {
      const id = idOf(line)
      if (!(id > last))
        throw new Failure(`${name} has been edited, and is no copy any more: remove it to begin again.`)
      last = id
      yield* added(id)
      const change = changes[at]
      if (change?.id !== id) {
        yield line
        continue
      }
      at++
      if (change.line === undefined) tally.deleted++
      else if (change.line !== line) tally.changed++
      if (change.line !== undefined) yield change.line
    }
  }
  yield* added(Number.POSITIVE_INFINITY)
}

/** NaN if the line is not one of ours. The API sends the id first. */
function idOf(line: string): number {
  const [, id] = /^\{"id":(\d{1,15})[,}]/.exec(line) ?? []
  return Number(id)
}
