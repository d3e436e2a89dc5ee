// How one CSV file is written.

export interface CsvDialect {
  readonly delimiter: string
  /** Carriage returns end lines only in files that have nothing else. */
  readonly newline: '\n' | '\r'
  /** Whether spaces stand between a delimiter and the quote that follows it. */
  readonly spaced: boolean
}
