// Reads a row of an operator's file as a draft. The mapping says what its cells mean; fields without a value are
// undefined, which leaves the watch's fields as they are.
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { parseId, shown } from '../cells/clean-text.ts'
import { brandCharsMax, collectionCharsMax, referenceCharsMax } from '../limits.ts'
import type { Mapping } from '../mapping.ts'
import { noReference, Refusal } from '../rejects.ts'
import type { CellLog } from './cell-log.ts'
import { currencyReader, dollarsReader } from './dollars-reader.ts'
import type { Draft, DraftReader, DraftReading } from './draft.ts'
import { findNameFault, nameReader, withoutSpreadsheetZero } from './name-reader.ts'
import { cellAt, columnsOf, fieldReader, refuseCell } from './record-cells.ts'
import { foreignSpecsReader } from './specs-reader.ts'

const isTotal = 'The row is a total, not a watch.'
/** The last rows of many spreadsheets. */
const total =
  /^(?:(?:grand|sub)?[- ]?totals?|totale|totaal|sum|summe|gesamt(?:summe)?|zwischensumme|somme|suma|soma|razem|итого|всего|合計|小計|总计) ?:?$/i
/** Columns that are listed if the reference or the brand is missing. */
const columnsShown = 60
const keysShown = 3
/** The name of a nested column. */
const memberName = /^([^.]+)\.([\p{L}_@].*)$/su

export const noId = 'is no id of a watch, which is a whole number from 1'

export function foreignDraftReader(
  mapping: Mapping,
  { rates, currency, counter, brand: brandOfAll, key }: DraftReading,
  log: CellLog,
): DraftReader {
  const { columns } = mapping
  const mayLackReference = isOtherKey(key)
  const rules = { rates, currency, counter, currencyOf: currencyReader(columns, log), log }
  const fault = brandOfAll === undefined ? undefined : findNameFault(brandOfAll, brandCharsMax)
  if (fault !== undefined) throw new Failure(`The brand of --brand ${fault}.`)
  const readBrand = nameReader(columns, 'brand', brandCharsMax)
  const readReference = nameReader(
    columns,
    'reference_number',
    referenceCharsMax,
    mayLackReference ? log : undefined,
  )
  const readCollection = nameReader(columns, 'collection', collectionCharsMax, log)
  const readRetail = dollarsReader(columns, 'retail_price_usd', rules)
  const readMarket = dollarsReader(columns, 'current_market_price', rules)
  const readId = fieldReader(
    columns,
    'id',
    (cell, { column }, { line }) => parseId(cell) ?? refuseCell(line, column, cell, noId),
  )
  const readSpecs = foreignSpecsReader(mapping, rules)

  function refuseNameless({ line, brand }: Draft, record: FileRecord): never {
    const reason = brand === '' ? 'The row has no brand.' : noReference
    const [column] = columnsOf(columns, brand === '' ? 'brand' : 'reference_number')
    if (column === undefined) throw new Refusal({ line, reason })
    return refuseCell(line, column.column, cellAt(record, column.number) ?? '', reason)
  }

  return (record) => {
    const brand = readBrand(record)
    if (brand !== undefined && total.test(brand)) {
      throw new Refusal({ line: record.line, value: brand, reason: isTotal })
    }
    let draft: Draft = {
      line: record.line,
      id: readId(record),
      brand: brand ?? brandOfAll ?? '',
      collection: readCollection(record),
      reference_number: withoutSpreadsheetZero(readReference(record) ?? ''),
      retail_price_usd: readRetail(record),
      current_market_price: readMarket(record),
      specs: readSpecs(record),
      updated_at: undefined,
      isWhole: false,
      unread: undefined,
    }
    if (log.unread !== undefined) draft = { ...draft, unread: log.unread }
    const isNamed = draft.reference_number !== '' || (mayLackReference && !isBlank(draft))
    if (draft.brand !== '' && isNamed) return draft
    return brand === undefined && isBlank(draft) ? undefined : refuseNameless(draft, record)
  }
}

/**
 * Throws a Failure if a file has no reference or brand column: every row of it would be rejected. A file without any
 * columns is empty, and passes.
 */
export function requireNames(
  { columns, isExport, preset, notes = [] }: Mapping,
  { brand, key }: Pick<DraftReading, 'brand' | 'key'>,
  adviceOnKey: () => string,
): void {
  if (isExport || columns.length === 0) return
  const has = (target: string) => columns.some(({ to }) => to === target)
  const others = [
    ...(preset === undefined ? [] : [`This is ${preset.name}.`]),
    ...headerDoubt(columns),
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
      : [`No column is known to be the brand: ${hint}, or give the brand of all rows by --brand.`]),
  ]
  if (faults.length > 0) throw new Failure([...faults, ...others, describeColumns(columns)].join(' '))
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

/** Whether watches are identified by something else than their reference, so that they may have none. */
function isOtherKey(key: DraftReading['key']): boolean {
  return key !== undefined && key !== 'reference'
}

function isBlank({ reference_number, specs, ...draft }: Draft): boolean {
  const { id, collection, retail_price_usd, current_market_price, unread } = draft
  const others = [id, collection, retail_price_usd, current_market_price, unread]
  return reference_number === '' && specs === '{}' && others.every((value) => value === undefined)
}
