// In charge of what is read from a file of records, whatever its format. It knows no watch.

/**
 * The cells of one record. A cell is a text in CSV, and whatever JSON has elsewhere, Parquet included. Texts of CSV may
 * keep the memory of their whole line: whoever keeps a few of many for long copies them.
 */
export interface FileRecord {
  /** Line of the file where it begins, from 1; of a format without lines (Parquet, one-line JSON) the record's number. */
  readonly line: number
  /** For each cell the number of its column. The records of a CSV share one list. */
  readonly columns: readonly number[]
  readonly cells: readonly unknown[]
}

/** Something that could not be read as a record; the reading goes on behind it. */
export interface BadRecord {
  readonly line: number
  readonly reason: string
  /** What was there, cut to a few hundred characters. */
  readonly value: string
}

export interface RecordBatch {
  /** Names of the columns so far: of JSON there may be more with every batch. */
  readonly columns: readonly string[]
  readonly records: readonly FileRecord[]
  readonly bad: readonly BadRecord[]
  /** How far the file has been read, for the time that is left. */
  readonly bytesRead: number
}

export interface RecordsFile {
  /** As it was given, for messages; `stdin` for `-`. */
  readonly name: string
  readonly format: 'csv' | 'json' | 'ndjson' | 'parquet'
  /** Size of the file as it lies there; undefined for a pipe. */
  readonly bytes: number | undefined
  /**
   * Throws a Failure that names the file and the line when it cannot be read on. May be run through once; the file is
   * closed at its end, or when it is left early.
   */
  batches(): AsyncGenerator<RecordBatch>
  /** For whoever opened it and then does not read it. */
  close(): Promise<void>
}

export interface ReadOptions {
  /** Of CSV: found by looking where it is not given. */
  readonly delimiter?: string | undefined
  /** A label of the WHATWG encodings (`windows-1252`); else by the byte order mark, else UTF-8, which must be valid. */
  readonly encoding?: string | undefined
  /** Where the ending of the name does not tell it (`-`). */
  readonly format?: RecordsFile['format'] | undefined
}
