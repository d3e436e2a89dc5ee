// The interface of a copy, and what is known of its origin. A copy is a file or a database.
import type { Watch } from '../../../sdk/src/index.ts'

/** Where a copy comes from, and how far it has come. */
export interface CopyState {
  /** The address of the API. A copy made with a test key is of the sample: its address ends in `#sample`. */
  readonly url: string
  readonly cursor: string
}

/** A watch as it is now; undefined if it was deleted. */
export type ChangedWatch = Watch | undefined

/** By id. To apply them twice is harmless. */
export type ChangedWatches = ReadonlyMap<number, ChangedWatch>

/** What changes did to a copy. */
export interface Tally {
  added: number
  changed: number
  deleted: number
}

export interface Copy {
  /** Undefined if there is no copy yet. */
  readonly state: CopyState | undefined
  /** The most changes that `apply` should get at once. */
  readonly batchMax: number
  /** Readers see the old copy or the new one, which takes its place when it is complete. */
  replace(watches: AsyncIterable<Watch>, state: CopyState): Promise<void>
  apply(changes: ChangedWatches, state: CopyState): Promise<Tally>
  count(): Promise<number>
  close(): void
}

export function noChanges(): Tally {
  return { added: 0, changed: 0, deleted: 0 }
}
