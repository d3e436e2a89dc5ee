// Refuses a file without the columns that every watch needs, with what helps the operator to name them.
import { Failure } from '../../errors.ts'
import type { BadRecord, ReadSheet } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'
import type { Mapping } from '../mapping.ts'
import { isRemark } from '../rows/refuse-rows.ts'
import type { DraftReading } from './draft.ts'
import { isOtherKey } from './foreign-draft.ts'

/** Columns that are listed if the reference or the brand is missing. */
const columnsShown = 60
const keysShown = 3
/** One heading may be the title of the list. */
const headingsMin = 2
const headingsShown = 3
/** The name of a nested column. */
const memberName = /^([^.]+)\.([\p{L}_@].*)$/su

/** What else the file has. */
interface FoundBeside {
  readonly sheet?: ReadSheet | undefined
  /** The rows that are no watches. */
  readonly bad?: readonly BadRecord[]
}

/**
 * Throws a Failure if a file has no reference or brand column: every row of it would be rejected. A file without any
 * columns is empty, and passes.
 */
export function requireNames(
  { columns, isExport, preset, notes = [] }: Mapping,
  { brand, key }: Pick<DraftReading, 'brand' | 'key'>,
  adviceOnKey: () => string,
  { sheet, bad = [] }: FoundBeside = {},
): void {
  if (isExport || columns.length === 0) return
  const has = (target: string) => columns.some(({ to }) => to === target)
  const others = [
    ...(preset === undefined ? [] : [`This is ${preset.name}.`]),
    ...headerDoubt(columns),
    ...otherSheets(sheet),
    ...notes,
  ]
  const hint = 'say which one has it in a mapping: --suggest-map writes one to edit, --map reads it'
  // Both at once, so that one more try is enough.
  const faults = [
    ...(has('reference_number') || isOtherKey(key)
      ? []
      : [
          `No column is known to be the reference number: ${hint}. If the watches have none: ${adviceOnKey()}.`,
        ]),
    ...(has('brand') || brand !== undefined
      ? []
      : [`No column is known to be the brand: ${hint}, or ${adviseBrand(bad)}.`]),
  ]
  // A line for each, because the list of columns is long.
  if (faults.length > 0) throw new Failure([...faults, ...others, describeColumns(columns)].join('\n  '))
}

function adviseBrand(bad: readonly BadRecord[]): string {
  const headings = new Set(bad.flatMap(({ reason, value }) => (reason === isRemark ? [shown(value)] : [])))
  if (headings.size < headingsMin) return 'give the brand of all rows by --brand'
  const some = [...headings].slice(0, headingsShown).join(', ')
  return `say --brand-headings if rows such as ${some} name the brand of the rows below, or give the brand of all rows by --brand`
}

/** The table may be in another sheet of the workbook. */
function otherSheets(sheet: ReadSheet | undefined): string[] {
  if (sheet === undefined || sheet.others.length === 0) return []
  const others = sheet.others.map(({ name }) => JSON.stringify(shown(name))).join(', ')
  return [`This is the sheet ${JSON.stringify(shown(sheet.name))}; --sheet reads another: ${others}.`]
}

/** Lists the columns with what they become, so that the operator can write a mapping at once. */
function describeColumns(columns: Mapping['columns']): string {
  const texts = columns
    .slice(0, columnsShown)
    .map(({ column, to }) => `${JSON.stringify(shown(column))} → ${to === null ? 'left out' : shown(to)}`)
  const more = columns.length - texts.length
  return `The columns: ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** Names that look like the values of a watch: the file has no line of names. */
function headerDoubt(columns: Mapping['columns']): string[] {
  const named = columns.filter(({ column }) => column !== '')
  const values = named.filter(({ column }) => /\d{3}/.test(column))
  if (values.length * 3 < named.length || values.length === 0) return []
  const keys = memberKeys(named.map(({ column }) => column))
  if (keys.length > 0) {
    const shownKeys = keys.slice(0, keysShown).join(', ')
    return [
      `The members of ${shown(shownKeys)} have the same names: if each is a watch, write the file as a list of watches.`,
    ]
  }
  // A line of names has no members.
  if (named.some(({ column }) => memberName.test(column))) return []
  const line = named.map(({ column }) => column).join(', ')
  return [
    `The first line (${shown(line)}) is taken for the names of the columns: if it is a watch, put a line of names above it.`,
  ]
}

/** The keys of an object of watches, such as `126610LN` of `126610LN.brand`; empty if no two have the same members. */
function memberKeys(columns: readonly string[]): string[] {
  const paths = columns.map((column) => memberName.exec(column)).filter((path) => path !== null)
  const same = Map.groupBy(paths, ([, , member]) => member)
  const shared = [...same.values()].filter((list) => list.length > 1)
  return [...new Set(shared.flat().map(([, key = '']) => key))]
}
