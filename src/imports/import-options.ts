// In charge of what an import is told and what it tells: options, steps on the way, and the summary.
import type { ReadOptions } from '../files/records.ts'
import type { MappingRow } from './mapping.ts'
import type { RejectReason } from './rejects.ts'

/** What tells watches apart: brand and reference, the watch's id, or a spec that is unique. */
export type IdentityKey = 'reference' | 'id' | { readonly spec: string }

/** How the rows of a file are read, in the thread that reads them. */
export interface DraftOptions {
  readonly read: ReadOptions
  /** Text of mapping.json. */
  readonly map: string | undefined
  /** USD for one of each currency. */
  readonly rates: ReadonlyMap<string, number>
  /** The brand of all rows that name none. */
  readonly brand: string | undefined
  /** Whether only the columns are asked for, to be mapped: none of them has to be known. */
  readonly isOnlyLooked?: boolean
}

export interface ImportOptions extends DraftOptions {
  readonly key: IdentityKey | undefined
  /** Told with each price in the history. */
  readonly source: string
  readonly isDryRun: boolean
  /** A watch keeps only what its row says. */
  readonly isReplacing: boolean
}

/** A file that is about to be imported. */
export interface FileStart {
  readonly file: string
  readonly format: string
  readonly bytes: number | undefined
  readonly isExport: boolean
  readonly mapping: readonly MappingRow[]
  /** To be edited and given back by --map. */
  readonly mappingJson: string
}

export interface ImportProgress {
  readonly file: string
  readonly rows: number
  readonly bytesRead: number
  readonly bytes: number | undefined
}

/** A watch whose row says something new. */
export interface SampleChange {
  readonly id: number
  /** Brand and reference. */
  readonly watch: string
  readonly fields: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}

export interface ImportSummary {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly reasons: readonly RejectReason[]
  /** Rows of a watch that an earlier row of the same file has told. */
  readonly repeated: number
  /** What no file has any more. */
  readonly deleted: number
  /** Why nothing was pruned, where something should have been. */
  readonly pruneRefusal: string | undefined
  readonly brandsCreated: number
  /** Of the updated, the first few. */
  readonly changes: readonly SampleChange[]
}
