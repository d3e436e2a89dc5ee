// Writes and parses a mapping as JSON: `--suggest-map` prints it, the operator edits it, `--map` reads it. Columns and
// properties that the file does not mention stay as suggested.
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { mappingCharsMax } from '../limits.ts'
import { columnLabels, type Mapping } from '../mapping.ts'
import type { GivenColumn } from './column-decisions.ts'
import { entryJson, meant, parseEntry } from './mapping-entry.ts'
import { suggestForeign } from './suggest-columns.ts'
import { suggestMapping } from './suggest-mapping.ts'

interface Document {
  readonly columns: Readonly<Record<string, unknown>>
  /** False: read an export like any other file. */
  readonly export?: boolean
}

export function parseMapping(
  text: string,
  columns: readonly string[],
  records: readonly FileRecord[],
): Mapping {
  const document = parseDocument(text)
  const foreign = () => suggestForeign(columns, records, parseColumns(document, columnLabels(columns)))
  if (document.export === false) return foreign()
  const suggested = suggestMapping(columns, records)
  if (document.export === true && !suggested.isExport) {
    throw new Failure(
      'The mapping says "export": true, but the columns of the file are not those of an export.',
    )
  }
  if (!suggested.isExport) return foreign()
  checkExport(document, suggested)
  return suggested
}

/** Writes one line for each column, so that the file is easy to edit. parseMapping reads it back. */
export function mappingJson({ columns, isExport }: Mapping): string {
  const lines = columns.map((column) => `    ${JSON.stringify(column.column)}: ${entryJson(column)}`)
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `{\n${isExport ? '  "export": true,\n' : ''}  "columns": ${body}\n}`
}

function parseDocument(text: string): Document {
  if (text.length > mappingCharsMax) {
    throw new Failure(`The mapping has more than ${mappingCharsMax.toLocaleString('en-US')} characters.`)
  }
  const document = parseJson(text)
  if (!isObject(document) || !isObject(document.columns)) {
    throw new Failure('The mapping must be an object like {"columns": {"Price": "current_market_price"}}.')
  }
  const other = Object.keys(document).find((name) => name !== 'columns' && name !== 'export')
  if (other !== undefined) {
    throw new Failure(`The mapping has ${JSON.stringify(other)} beside "columns", which means nothing.`)
  }
  if (document.export !== undefined && typeof document.export !== 'boolean') {
    throw new Failure('"export" in the mapping must be true or false.')
  }
  return document as unknown as Document
}

function parseJson(text: string): unknown {
  try {
    // Some editors put a byte order mark before the text.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Failure(`The mapping is not JSON: ${(error as Error).message}.`)
  }
}

function parseColumns(document: Document, labels: readonly string[]): Map<number, GivenColumn> {
  const places = new Map(labels.map((label, at) => [label, at]))
  const given = new Map<number, GivenColumn>()
  for (const [column, entry] of Object.entries(document.columns)) {
    const at = places.get(column)
    if (at === undefined) {
      const hint = meant(column, labels) || '.'
      throw new Failure(
        `The mapping names a column ${JSON.stringify(column)} that the file does not have${hint}`,
      )
    }
    given.set(at, parseEntry(column, entry))
  }
  return withFallbacks(given, labels)
}

/** Of several columns for one target, the first of the file counts, and the others fill in where it is empty. */
function withFallbacks(
  given: ReadonlyMap<number, GivenColumn>,
  labels: readonly string[],
): Map<number, GivenColumn> {
  const owners = new Map<string, number>()
  const ordered = [...given].sort(([one], [other]) => one - other)
  return new Map(
    ordered.map(([at, column]) => {
      const { to, isFallback } = column
      if (to === null || isFallback) return [at, column]
      const owner = owners.get(to)
      if (owner === undefined) {
        owners.set(to, at)
        return [at, column]
      }
      if (to === 'specs') {
        const both = [owner, at].map((one) => JSON.stringify(labels[one])).join(' and ')
        throw new Failure(
          `In the mapping, the columns ${both} both become "specs", which only one column can.`,
        )
      }
      return [at, { ...column, isFallback: true as const }]
    }),
  )
}

/** An export is read exactly as it is, so its mapping may not differ unless it says `"export": false`. */
function checkExport(document: Document, { columns }: Mapping): void {
  const own = new Map(columns.map((column) => [column.column, JSON.parse(entryJson(column))]))
  for (const [column, entry] of Object.entries(document.columns)) {
    if (own.has(column) && isDeepStrictEqual(entry, own.get(column))) continue
    throw new Failure(
      `The file is an export and read as it stands: write "export": false into the mapping to change what becomes of the column ${JSON.stringify(column)}.`,
    )
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
