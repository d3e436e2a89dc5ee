// Joins amounts with what stands in other cells of the record: a unit, a currency, the minor units, or the other end of
// a range.
import { cellText, isNothing } from '../cells/clean-text.ts'
import { currencyOf, exponentOf, readMeasure, roleOf, shifted, withCurrency } from './measures.ts'
import { CellTable, foldedKey, type NamedCell, priceNameIn } from './named-cells.ts'
import { isPriceHolder } from './price-lists.ts'
import { joinUnit, unitHolderOf } from './unit-columns.ts'

/** What the name of a cell says about other cells. */
interface Clue {
  readonly name: string
  /** The path of the object that has the member; empty for a member of the record itself. */
  readonly group: string
  readonly kind: 'measure' | 'low' | 'high' | 'minorUnit' | 'format' | 'unit'
}

const groupsMax = 1_000
const cluesMax = 10_000
const lows = 'min minimum low lower from lowprice minprice minamount minvalue minvariantprice'.split(' ')
const highs = 'max maximum high upper to highprice maxprice maxamount maxvalue maxvariantprice'.split(' ')
/** How a shop shows its prices, beside the code of their currency. */
const formats = 'symbol decimalseparator thousandseparator prefix suffix'
  .split(' ')
  .map((name) => `currency${name}`)
const minorUnits = ['currencyminorunit', 'currencyexponent', 'priceminorunit']
const priceMember = /^(?:price_range\.)?(?:[^.]*_)?(?:price|amount)$/i
const sums = /^(\d+) ([A-Z]{3})$/

const clues = new Map<string, Clue | undefined>()

/** Whether the name of a column may say something about the cell of another. */
export function hasClue(name: string): boolean {
  return clueOf(name) !== undefined
}

export function joinAmounts(cells: readonly NamedCell[]): readonly NamedCell[] {
  const isClue = ({ name, cell }: NamedCell) => !isNothing(cell) && clueOf(name) !== undefined
  if (!cells.some(isClue)) return cells
  const found = cells.map(({ name }) => clueOf(name)).filter((clue) => clue !== undefined)
  const table = new CellTable(cells)
  const groups = [...Map.groupBy(found, ({ group }) => group)].slice(0, groupsMax)
  // The minor unit also counts for the range of prices in an inner object.
  for (const { kind, name, group } of found) {
    if (kind !== 'minorUnit') continue
    if (group !== '') joinMeasure(table, group)
    shiftPrices(table, group, name)
  }
  for (const [group, inGroup] of groups) {
    const kinds = new Set(inGroup.map(({ kind }) => kind))
    if (kinds.has('format')) dropFormats(table, inGroup)
    if (kinds.has('measure')) joinMeasure(table, group)
    if (kinds.has('low') || kinds.has('high')) joinRange(table, group, inGroup)
    for (const { kind, name } of inGroup) if (kind === 'unit') joinUnit(table, name)
  }
  return table.cells
}

function clueOf(name: string): Clue | undefined {
  if (clues.has(name)) return clues.get(name)
  if (clues.size === cluesMax) clues.clear()
  const at = name.lastIndexOf('.')
  const [group, leaf] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
  const kind = kindOf(group, leaf)
  const clue = kind === undefined ? undefined : { name, group, kind }
  clues.set(name, clue)
  return clue
}

function kindOf(group: string, leaf: string): Clue['kind'] | undefined {
  const key = foldedKey(leaf)
  if (formats.includes(key)) return 'format'
  if (minorUnits.includes(key)) return 'minorUnit'
  const mayHaveRange = group !== '' && (key.endsWith('price') || isPriceHolder(group))
  if (mayHaveRange && lows.includes(key)) return 'low'
  if (mayHaveRange && highs.includes(key)) return 'high'
  const role = group === '' ? undefined : roleOf(leaf)
  const isMeasure = role !== undefined && role !== 'amount' && role !== 'idle' && key !== 'unit'
  // The reader of the file has joined these with their amounts already.
  const isJoined = key === 'currency' || key === 'currencycode' || key === 'pricecurrency'
  if (isMeasure && !isJoined) return 'measure'
  return unitHolderOf(leaf) === undefined ? undefined : 'unit'
}

/** The prices of WooCommerce's Store API are whole numbers of the minor unit that stands beside them. */
function shiftPrices(table: CellTable, group: string, minorUnit: string): void {
  const start = group === '' ? '' : `${group}.`
  const digits = exponentOf(table.get(minorUnit))
  if (digits === undefined) return
  const code = currencyOf(table.get(`${start}currency_code`))
  for (const { name, cell } of table.cells) {
    const text =
      name.startsWith(start) && priceMember.test(name.slice(start.length)) ? cellText(cell).trim() : ''
    const price = /^\d+$/.test(text) ? shifted(text, digits) : undefined
    if (price === undefined) continue
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
function joinMeasure(table: CellTable, group: string): void {
  const members: Record<string, unknown> = {}
  for (const { name, cell } of table.cells) {
    const leaf = name.startsWith(`${group}.`) ? name.slice(group.length + 1) : ''
    if (leaf !== '' && !leaf.includes('.') && leaf !== '__proto__') members[leaf] = cell
  }
  const known = table.get(group)
  // The reader of the file has joined amount and currency, but does not know of minor units.
  const [, amount, currency] = sums.exec(typeof known === 'string' ? known : '') ?? []
  if (amount === undefined && !isNothing(known)) return
  const measure = readMeasure(amount === undefined ? members : { ...members, amount, currency })
  if (measure === undefined) return
  for (const leaf of Object.keys(members)) if (!(leaf in measure.others)) table.drop(`${group}.${leaf}`)
  table.set(amount === undefined && measure.isMoney ? priceNameIn(group) : group, measure.text)
}

/** A range is no price, unless both ends are equal. */
function joinRange(table: CellTable, group: string, inGroup: readonly Clue[]): void {
  const target = priceNameIn(group)
  if (!isNothing(table.get(target))) return
  const nameOf = (kind: Clue['kind']) => inGroup.find((clue) => clue.kind === kind)?.name
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
  return name.startsWith(`${group}.`) && roleOf(name.slice(group.length + 1)) === 'currency'
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
