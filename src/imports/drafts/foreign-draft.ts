// Reads a row of an operator's file as a draft. The mapping says what its cells mean; fields without a value are
// undefined, which leaves the watch's fields as they are.
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { parseId } from '../cells/clean-text.ts'
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
    // First, so that it sees every row: a name may repeat that of the row above.
    const collection = readCollection(record)
    const brand = readBrand(record)
    if (brand !== undefined && total.test(brand)) {
      throw new Refusal({ line: record.line, value: brand, reason: isTotal })
    }
    let draft: Draft = {
      line: record.line,
      id: readId(record),
      brand: brand ?? brandOfAll ?? '',
      collection,
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

/** Whether watches are identified by something else than their reference, so that they may have none. */
export function isOtherKey(key: DraftReading['key']): boolean {
  return key !== undefined && key !== 'reference'
}

function isBlank({ reference_number, specs, ...draft }: Draft): boolean {
  const { id, collection, retail_price_usd, current_market_price, unread } = draft
  const others = [id, collection, retail_price_usd, current_market_price, unread]
  return reference_number === '' && specs === '{}' && others.every((value) => value === undefined)
}
