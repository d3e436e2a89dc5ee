// The type of a CSV dialect: delimiter, line ends and spacing of one file.

export interface CsvDialect {
  readonly delimiter: string
  /** `\r` only in files without any line feeds between rows. */
  readonly newline: '\n' | '\r'
  /** Whether there are spaces between a delimiter and the quote after it. */
  readonly spaced: boolean
}
