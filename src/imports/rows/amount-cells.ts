// Joins amounts with what stands in other cells of the record: a unit, a currency, the minor units, the days of a sale, or
// the other end of a range.
import { cellText, isNothing } from '../cells/clean-text.ts'
import { type Clue, type Group, layoutOf } from './cell-layout.ts'
import { dropBids, dropEndedSale } from './ended-sales.ts'
import { amountBeside, currencyOf, exponentOf, readMeasure, withCurrency } from './measures.ts'
import { CellTable, foldedKey, type NamedCell, priceNameIn } from './named-cells.ts'
import { currencyWithin, isCurrencyMember, joinCurrency, spreadCurrency } from './record-currency.ts'
import { isQuantity, joinUnit } from './unit-columns.ts'

const priceMember = /^(?:price_range\.)?(?:[^.]*_)?(?:price|amount)$/i
const sums = /^(\d+) ([A-Z]{3})$/

export function joinAmounts(cells: readonly NamedCell[], today: string): readonly NamedCell[] {
  const layout = layoutOf(cells)
  if (layout.clueAts.every((at) => isNothing(cells[at]?.cell))) return cells
  const table = new CellTable(cells, layout.places)
  const groups = [...layout.groups.values()]
  // The minor unit also counts for the range of prices in an inner object.
  for (const group of groups) {
    for (const { kind, name } of group.clues) {
      if (kind !== 'minorUnit') continue
      if (group.name !== '') joinMeasure(table, group)
      shiftPrices(table, group.name, name)
    }
  }
  for (const group of groups) {
    const { kinds, clues, sale } = group
    if (sale !== undefined) {
      dropBids(table, sale)
      dropEndedSale(table, sale, today)
    }
    if (kinds.has('format')) dropFormats(table, clues)
    if (kinds.has('measure')) joinMeasure(table, group)
    if (kinds.has('low') || kinds.has('high')) joinRange(table, group)
    if (group.hasCurrency) joinCurrency(table, group.name, group.members)
    if (kinds.has('original')) keepEarlierPrice(table, group)
    for (const { kind, name } of clues) if (kind === 'unit') joinUnit(table, name)
  }
  const code = currencyWithin(cells)
  if (code !== undefined) spreadCurrency(table, code)
  return table.cells
}

/** Beside a current price, the original one is an earlier price of the shop. */
function keepEarlierPrice(table: CellTable, { name: group, clues, members }: Group): void {
  if (!members.some((leaf) => /^current(?:price)?$/.test(foldedKey(leaf)))) return
  for (const { kind, name } of clues) {
    if (kind !== 'original' || isNothing(table.get(name))) continue
    table.set(`${group}.earlier`, table.get(name))
    table.drop(name)
  }
}

/** The prices of WooCommerce's Store API are strings of digits in the minor unit beside them. */
function shiftPrices(table: CellTable, group: string, minorUnit: string): void {
  const start = group === '' ? '' : `${group}.`
  const digits = exponentOf(table.get(minorUnit))
  if (digits === undefined) return
  const code = currencyOf(table.get(`${start}currency_code`))
  for (const { name, cell } of table.cells) {
    if (!name.startsWith(start) || !priceMember.test(name.slice(start.length))) continue
    const isDigits = typeof cell === 'number' || typeof cell === 'string'
    if (!isDigits || !/^\d+$/.test(cellText(cell).trim())) continue
    const price = amountBeside(cell, minorUnit.slice(start.length), digits)
    table.set(name, withCurrency(price, code))
    table.drop(minorUnit)
  }
  const [low, high] = ['min', 'max'].map((end) => `${start}price_range.${end}_amount`) as [string, string]
  if (isNothing(table.get(low)) || isNothing(table.get(high))) return
  const range = rangeText(table.get(low), table.get(high), undefined)
  for (const name of [low, high, `${start}regular_price`, `${start}sale_price`]) table.drop(name)
  table.set(`${start}price`, range)
}

/** Drops how prices are shown, if the code of the currency is known. */
function dropFormats(table: CellTable, inGroup: readonly Clue[]): void {
  for (const { kind, name, group } of inGroup) {
    const code = table.get(group === '' ? 'currency_code' : `${group}.currency_code`)
    if (kind === 'format' && !isNothing(code)) table.drop(name)
  }
}

/** Joins the members of one object to an amount: `price.cents` and `price.currency_iso` are `price`. */
function joinMeasure(table: CellTable, { name: group, members: leaves, hasInner }: Group): void {
  const known = table.get(group)
  // The reader of the file has joined amount and currency, but does not know of minor units. Whether the amount was a
  // number or a string is lost then.
  const [, amount, currency] = sums.exec(typeof known === 'string' ? known : '') ?? []
  if (amount === undefined && !isNothing(known)) return
  const members: Record<string, unknown> = {}
  for (const leaf of leaves) members[leaf] = table.get(`${group}.${leaf}`)
  const object = amount === undefined ? members : { ...members, amount: Number(amount), currency }
  const measure = readMeasure(object)
  if (measure === undefined) return
  if (!measure.isMoney && !isQuantity(group, measure, hasInner)) return
  for (const leaf of leaves) if (!(leaf in measure.others)) table.drop(`${group}.${leaf}`)
  table.set(amount === undefined && measure.isMoney ? priceNameIn(group) : group, measure.text)
}

/** A range is no price, unless both ends are equal. Beside other amounts, such as an average, it stays as it is. */
function joinRange(table: CellTable, { name: group, clues, isRange }: Group): void {
  const target = priceNameIn(group)
  if (!isRange || !isNothing(table.get(target))) return
  const nameOf = (kind: Clue['kind']) => clues.find((clue) => clue.kind === kind)?.name
  const [lowName, highName] = [nameOf('low'), nameOf('high')]
  const [low, high] = [table.get(lowName ?? ''), table.get(highName ?? '')]
  const isPlain = [low, high].every((end) => isNothing(end) || typeof end !== 'object')
  if (!isPlain || (isNothing(low) && isNothing(high))) return
  const currencies = table.cells.filter(({ name }) => isCurrencyOf(name, group))
  const text = rangeText(low, high, currencyOf(currencies[0]?.cell))
  for (const name of [lowName, highName]) if (name !== undefined) table.drop(name)
  table.set(target, text)
}

function isCurrencyOf(name: string, group: string): boolean {
  return name.startsWith(`${group}.`) && isCurrencyMember(name.slice(group.length + 1))
}

/** A text that no price can be read from, unless both ends are equal. */
function rangeText(low: unknown, high: unknown, currency: string | undefined): string {
  const [from, to] = [low, high].map((end) => (isNothing(end) ? '' : cellText(end).trim())) as [
    string,
    string,
  ]
  const code = /\p{L}|\p{Sc}/u.test(from + to) ? undefined : currency
  if (to === '') return withCurrency(`from ${from}`, code)
  if (from === '') return withCurrency(`up to ${to}`, code)
  const isEqual = from === to || Number(from) === Number(to)
  return withCurrency(isEqual ? from : `${from} - ${to}`, code)
}
