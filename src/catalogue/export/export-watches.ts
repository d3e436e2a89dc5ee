// Exports the watches in order of id, each as the API sends it, with its specs byte for byte.
import type { ParquetColumn } from '../../files/output/write-parquet.ts'
import type { Reader } from '../../storage/database.ts'
import { readBrands } from '../brands.ts'
import { watchPages } from '../edit/watch-pages.ts'
import { type WatchRow, watchJson, watchText } from '../watches.ts'
import { KeyOrder } from './export-key-order.ts'
import { eachMember } from './export-members.ts'
import { orderColumn, specCells } from './export-spec-cells.ts'
import { type CsvForm, csvCell, type ExportTable } from './export-table.ts'

type BrandName = (id: number) => string

const specColumnsMax = 1_000

const namesAndPricesColumns: readonly ParquetColumn[] = [
  { name: 'id', type: 'INT64' },
  { name: 'brand', type: 'STRING' },
  { name: 'collection', type: 'STRING' },
  { name: 'reference_number', type: 'STRING' },
  { name: 'retail_price_usd', type: 'DOUBLE', isNullable: true },
  { name: 'current_market_price', type: 'DOUBLE', isNullable: true },
]

export async function exportWatches(view: Reader): Promise<ExportTable<WatchRow>> {
  const names = new Map((await readBrands(view)).map(({ id, name }) => [id, name]))
  const brandName = (id: number) => names.get(id) ?? ''
  return {
    columns: [
      ...namesAndPricesColumns,
      { name: 'specs', type: 'STRING' },
      { name: 'updated_at', type: 'STRING' },
    ],
    pages: () => watchPages(view),
    values: (row) => [...namesAndPrices(row, brandName), row.specs, row.updated_at],
    line: (row) => oneLine(watchText(watchJson(row, brandName(row.brand_id)))),
    csv: () => csvForm(view, brandName),
  }
}

function namesAndPrices(row: WatchRow, brandName: BrandName) {
  const names = [row.id, brandName(row.brand_id), row.collection, row.reference_number]
  return [...names, row.retail_price_usd, row.current_market_price]
}

/** Line breaks can only be white space between values: within strings JSON escapes them. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json
}

/** Reads all watches once to find the columns that they need. */
async function csvForm(view: Reader, brandName: BrandName): Promise<CsvForm<WatchRow>> {
  const order = new KeyOrder()
  for await (const page of watchPages(view)) {
    for (const { specs } of page) addKeys(order, specs)
  }
  const keys = order.columns(specColumnsMax)
  const cellsOf = specCells(keys)
  return {
    header: [
      ...namesAndPricesColumns.map(({ name }) => name),
      ...keys.map((key) => `specs.${key}`),
      orderColumn,
      'updated_at',
    ],
    cells: (row) => [...namesAndPrices(row, brandName).map(csvCell), ...cellsOf(row.specs), row.updated_at],
  }
}

function addKeys(order: KeyOrder, specs: string): void {
  const keys: string[] = []
  const isUsual = eachMember(specs, (key) => keys.push(key) > 0)
  order.add(isUsual ? keys : Object.keys(JSON.parse(specs)))
}
