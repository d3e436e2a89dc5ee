// The types of an import's input and output: its options, its progress events and its summary.
import type { FieldChanges } from '../catalogue/field-changes.ts'
import type { Clock } from '../clock.ts'
import type { ReadOptions, ReadSheet } from '../files/records.ts'
import type { Database } from '../storage/database.ts'
import type { MoneyUse, Rates } from './cells/rates.ts'
import type { KeyCount } from './key-counts.ts'
import type { BarePrices, MappingRow } from './mapping.ts'
import type { CellSummary, RejectReason, Rejects } from './rejects.ts'
import type { TitleReading } from './rows/resolve-titles.ts'

export type { BarePrices, TitleReading }

/** What identifies a watch: brand and reference number, the watch's id, or a spec that is unique. */
export type IdentityKey = 'reference' | 'id' | { readonly spec: string }

/** How to read the rows of a file. They are passed to the worker thread that reads it. */
export interface DraftOptions {
  readonly read: ReadOptions
  /** The text of the mapping file given by --map. */
  readonly map: string | undefined
  readonly rates: Rates
  /** The currency of prices for which neither cell, column nor row names one; undefined: USD. */
  readonly currency: string | undefined
  /** The brand of rows that name none. */
  readonly brand: string | undefined
  /** Whether rows with a single cell name the brand of the rows below. */
  readonly hasBrandHeadings?: boolean | undefined
  /** How to make brand and reference of a column of titles. Such a file is read in this thread, not in a worker. */
  readonly titles?: TitleReading | undefined
  /** A key other than brand and reference allows watches without a reference. */
  readonly key?: IdentityKey | undefined
  /** Whether a cell that cannot be read rejects its row. Otherwise the row is imported without it. */
  readonly isStrict?: boolean | undefined
  /** Whether the caller wants only the mapping, as --suggest-map does: brand and reference columns may be missing. */
  readonly isMappingOnly?: boolean
}

export interface ImportOptions extends DraftOptions {
  readonly key: IdentityKey | undefined
  /** Stored as the source of each price in the price history. */
  readonly source: string
  readonly isDryRun: boolean
  /** Whether fields and specs that a row does not have are removed from its watch. */
  readonly isReplacing: boolean
  /** Whether each batch of rows becomes visible by itself, instead of all of them at the end. */
  readonly isInBatches: boolean
  /** Who imports, for the log of runs. */
  readonly who: string
}

export interface ImportParts {
  readonly database: Database
  readonly clock: Clock
  readonly rejects: Rejects
  readonly onWait: () => void
  /** Called before anything of the file is written. */
  readonly onFile: (start: FileStart) => void
  readonly onProgress: (progress: ImportProgress) => void
  /** Called once all rows are read, before they are made visible. */
  readonly onPublish: () => void
  /** Called before watches that no file has are deleted; a Failure keeps them. Undefined: never delete. */
  readonly confirmPrune: ((count: number) => Promise<void>) | undefined
}

/** A file that is about to be imported. */
export interface FileStart {
  readonly file: string
  readonly format: string
  readonly sheet: ReadSheet | undefined
  /** The encoding of a text that is not UTF-8, if nobody named it. */
  readonly encoding: string | undefined
  readonly bytes: number | undefined
  readonly isExport: boolean
  /** The kind of file, if it was recognised: `a Shopify product export`. */
  readonly preset: string | undefined
  /** What the operator should know about how columns were chosen, as sentences. */
  readonly notes: readonly string[]
  readonly mapping: readonly MappingRow[]
  /** Columns that are named like a price, but have no cell that is one, and became specs. */
  readonly unpriced: readonly string[]
  /** The mapping as JSON, which the operator can edit and pass to --map. */
  readonly mappingJson: string
  /** The columns that may be a key. Counts the rows read so far: complete when the file was read. */
  readonly keys: KeyCount[]
  /** The prices without a currency in the first rows. */
  readonly bare: BarePrices
}

export interface ImportProgress {
  readonly file: string
  readonly rows: number
  readonly bytesRead: number
  readonly bytes: number | undefined
}

/** A watch that its row changes, with the old and new values. */
export interface SampleChange {
  readonly id: number
  /** Brand and reference number. */
  readonly watch: string
  readonly fields: FieldChanges['fields']
}

/** `thousandth`: a number that is a thousandth of the stored one, because a spreadsheet showed 28800 as 28.800. */
export type SpecKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'thousandth'

/** Values of a spec that become another kind in existing watches. */
export interface KindChange {
  /** The spec, as `specs.<key>`. */
  readonly to: string
  readonly was: SpecKind
  readonly now: SpecKind
  count: number
  /** The first new value. */
  readonly sample: unknown
}

export interface ImportSummary extends CellSummary {
  /** The run, for `imports show` and `imports undo`; undefined in a dry run. */
  readonly run: number | undefined
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly reasons: readonly RejectReason[]
  /** Rows whose watch already had a row in the same file. */
  readonly repeated: number
  /** Watches deleted because no file has them. */
  readonly deleted: number
  /** Why pruning was refused; undefined if it was not. */
  readonly pruneRefusal: string | undefined
  readonly brandsCreated: number
  readonly money: MoneyUse
  /** The first few of the updated watches. */
  readonly changes: readonly SampleChange[]
  readonly kindChanges: readonly KindChange[]
}
