// Gives amounts the currency that another member of their object or of their record names, such as
// `{"low": 18460, "average": 19850, "currencyCode": "EUR"}`.
import { isNothing } from '../cells/clean-text.ts'
import { isPriceField, readColumnName } from '../mapping/column-names.ts'
import { currencyOf, isBareAmount, roleOf, withCurrency } from './measures.ts'
import { type CellTable, foldedKey, type NamedCell } from './named-cells.ts'

const amountNames =
  /^(?:low|lowest|min|minimum|high|highest|max|maximum|avg|average|mean|median|typical|current|original|regular|sale|list|base|final|retail|market|msrp|rrp|asking|from|to)?(?:price|value|amount)?$/
const sum = /^\d[\d.,'’\s]* ([A-Z]{3})$/
const barePricesMax = 10_000
const barePrices = new Map<string, boolean>()

/** Whether a member by this name has the currency of the others. */
export function isCurrencyMember(leaf: string): boolean {
  return roleOf(leaf) === 'currency' || foldedKey(leaf) === 'currencysymbol'
}

/** `members`: those of the object `group`. */
export function joinCurrency(table: CellTable, group: string, members: readonly string[]): void {
  const said = members.filter((leaf) => isCurrencyMember(leaf) && !isNothing(table.get(`${group}.${leaf}`)))
  const code = soleCode(said.map((leaf) => currencyOf(table.get(`${group}.${leaf}`))))
  if (code === undefined) return
  const amounts = members.filter(
    (leaf) => amountNames.test(foldedKey(leaf)) && isBareAmount(table.get(`${group}.${leaf}`)),
  )
  for (const leaf of amounts) addCurrency(table, `${group}.${leaf}`, code)
  if (amounts.length > 0) for (const leaf of said) table.drop(`${group}.${leaf}`)
}

/** The only currency that the objects in a record name. A column of currencies says it better, row by row. */
export function currencyWithin(cells: readonly NamedCell[]): string | undefined {
  const isSaid = cells.some(({ name, cell }) => saysCurrency(name) && !isNothing(cell))
  return isSaid ? undefined : soleCode(cells.flatMap(codeIn))
}

/** Gives the currency to the prices of the record that have none. */
export function spreadCurrency(table: CellTable, code: string): void {
  for (const { name, cell } of table.cells)
    if (isBareAmount(cell) && isBarePrice(name)) addCurrency(table, name, code)
}

function saysCurrency(name: string): boolean {
  return !name.includes('.') && (roleOf(name) === 'currency' || /(?:currency|ccy)$/i.test(name))
}

function codeIn({ name, cell }: NamedCell): (string | undefined)[] {
  if (typeof cell !== 'string' || cell === '') return []
  if (isCurrencyMember(name.slice(name.lastIndexOf('.') + 1))) return [currencyOf(cell)]
  const [, code] = name.includes('.') ? (sum.exec(cell) ?? []) : []
  const found = code === undefined ? undefined : currencyOf(code)
  return found === undefined ? [] : [found]
}

function soleCode(codes: readonly (string | undefined)[]): string | undefined {
  return new Set(codes).size === 1 ? codes[0] : undefined
}

function addCurrency(table: CellTable, name: string, code: string): void {
  table.set(name, withCurrency(String(table.get(name)).trim(), code))
}

/** Whether a column by this name is a price, and names no currency. Cached, because this is asked of every cell. */
function isBarePrice(name: string): boolean {
  const known = barePrices.get(name)
  if (known !== undefined) return known
  const { to = '', currency } = readColumnName(name)
  const isBare = isPriceField(to) && currency === undefined
  if (barePrices.size === barePricesMax) barePrices.clear()
  barePrices.set(name, isBare)
  return isBare
}
