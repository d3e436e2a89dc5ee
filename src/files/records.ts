// The types of records that are read from a file of any format. They know nothing of watches.
import { columnNameCharsMax } from './limits.ts'

/**
 * The cells of one record. A cell is a string in CSV, a string or a number in XLSX, and any JSON value in other formats,
 * Parquet included. A string of a CSV may keep its whole line in memory: copy the strings that are stored for long.
 */
export interface FileRecord {
  /**
   * The line where the record begins, or its row in a sheet, from 1. Without lines (Parquet, JSON on one line), the number
   * of the record.
   */
  readonly line: number
  /** The column number of each cell. The records of a CSV share one list. */
  readonly columns: readonly number[]
  readonly cells: readonly unknown[]
}

/** Whether the name of a column was too long, and was cut. Several columns of the file may share it then. */
export function isCutName(column: string): boolean {
  return column.length >= columnNameCharsMax
}

/** A part of the file that could not be read as a record. Reading continues after it. */
export interface BadRecord {
  readonly line: number
  readonly reason: string
  /** The text of that part, cut to a few hundred characters. */
  readonly value: string
}

export interface RecordBatch {
  /** The names of the columns so far. In JSON every batch may add more. */
  readonly columns: readonly string[]
  readonly records: readonly FileRecord[]
  readonly bad: readonly BadRecord[]
  /** Values that stand beside the records, and are not read. */
  readonly beside?: readonly BadRecord[]
  /** What the file says of the currency of all records, after them: `currency: EUR`. */
  readonly lateCurrency?: string
  /** The first lines above the header of a table, such as `Prices in EUR`. */
  readonly above?: readonly string[]
  /** Bytes of the file read so far, to estimate the remaining time. */
  readonly bytesRead: number
}

export interface RecordsFile {
  /** The path as given, for messages; `stdin` for `-`. */
  readonly name: string
  readonly format: 'csv' | 'json' | 'ndjson' | 'parquet' | 'xlsx'
  /** Which sheet of a workbook is read; undefined for other formats. */
  readonly sheet: ReadSheet | undefined
  /** The encoding of a text that is not UTF-8, if nobody named it. */
  readonly encoding: string | undefined
  /** The size of the file on disk; undefined for a pipe. */
  readonly bytes: number | undefined
  /**
   * Throws a Failure with the file and the line if the rest cannot be read. It can be iterated once; the file is closed
   * at the end, or when the caller stops early.
   */
  batches(): AsyncGenerator<RecordBatch>
  /** The SHA-256 of the file, in hexadecimal, once its batches were read to the end. */
  sha256(): string | undefined
  /** Closes the file without reading it. */
  close(): Promise<void>
}

export interface ReadSheet {
  readonly name: string
  /** Other sheets that have rows. */
  readonly others: readonly { readonly name: string; readonly isHidden: boolean }[]
}

export interface ReadOptions {
  /** Path → the name shown for the file, such as the address from which it was downloaded. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** The delimiter of a CSV; detected by default. */
  readonly delimiter?: string | undefined
  /** A label of the WHATWG Encoding Standard (`windows-1252`). Default: by the byte order mark, else UTF-8. */
  readonly encoding?: string | undefined
  /** The format, for input without a file extension (`-`); detected by default. */
  readonly format?: RecordsFile['format'] | undefined
  /** The name or the number of the sheet of a workbook; by default the first visible one that has a table. */
  readonly sheet?: string | undefined
}
