// Determines the format and the compression of an output file from its extension or from the --format option.
import { Failure } from '../../errors.ts'

export interface OutputFormat {
  readonly format: 'ndjson' | 'csv' | 'parquet'
  readonly compression: 'gzip' | 'zstd' | undefined
}

const formats: ReadonlyMap<string, OutputFormat['format']> = new Map([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['csv', 'csv'],
  ['parquet', 'parquet'],
])
const compressions: ReadonlyMap<string, OutputFormat['compression']> = new Map([
  ['gz', 'gzip'],
  ['zst', 'zstd'],
])

const known = '.ndjson, .csv or .parquet, the first two also followed by .gz or .zst'

/** `asked` (`csv`, `ndjson.gz`) overrides the extension. `-`, which has none, is NDJSON. */
export function parseOutputFormat(file: string, asked: string | undefined): OutputFormat {
  const ending = endingOf(file)
  const { format, compression = ending.compression } = asked === undefined ? ending : endingOf(`.${asked}`)
  if (format === 'parquet' && compression !== undefined)
    throw new Failure('Parquet is compressed internally: leave out .gz or .zst.')
  if (format !== undefined) return { format, compression }
  if (asked !== undefined) {
    throw new Failure(
      `There is no format ${asked}: use ndjson, csv or parquet, the first two also with .gz or .zst.`,
    )
  }
  if (file === '-') return { format: 'ndjson', compression: undefined }
  throw new Failure(`${file} does not tell its format: end the name in ${known}, or say --format.`)
}

/** Whether the output is readable text in a terminal. */
export function isText({ format, compression }: OutputFormat): boolean {
  return format !== 'parquet' && compression === undefined
}

function endingOf(name: string) {
  const [last = '', before = ''] = name.toLowerCase().split('.').slice(1).reverse()
  const compression = compressions.get(last)
  return { format: formats.get(compression === undefined ? last : before), compression }
}
