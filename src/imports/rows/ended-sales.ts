// Takes out prices for which a watch cannot be bought today: that of a sale that is not on, so that the regular price of the
// row counts, and the bids of an auction. What says so stands in other cells, such as the days of the sale.
import { findTruth } from '../cells/cells.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { parseMoment } from '../cells/price-day.ts'
import { type CellTable, foldedKey, type NamedCell } from './named-cells.ts'

/** The names of the columns of one sale. */
export interface SaleColumns {
  readonly prices: readonly string[]
  /** Prices that hold without the sale. */
  readonly usual: readonly string[]
  readonly flags: readonly string[]
  readonly starts: readonly string[]
  readonly ends: readonly string[]
  /** Both days in one cell, with a slash between them. */
  readonly spans: readonly string[]
  readonly bids: readonly string[]
  /** Whether the row is an auction. */
  readonly formats: readonly string[]
}

/** The members of shops and of their exports, also in the German export of WooCommerce. */
const shapes: Readonly<Record<keyof SaleColumns, RegExp>> = {
  prices: /^(?:g?sale|special|discount(?:ed)?)price$|^angebotspreis$/,
  usual: /^g?(?:regular)?price$|^regul(?:ae)?rerpreis$/,
  flags: /^(?:is)?onsale$/,
  starts:
    /^(?:dateonsalefrom|(?:sale|special|discount)(?:price)?(?:dates?)?(?:from|starts?)(?:date|at)?|datesalepricestarts|datumandemangebotspreisbeginnt)(?:gmt)?$/,
  ends: /^(?:dateonsaleto|(?:sale|special|discount)(?:price)?(?:dates?)?(?:to|ends?)(?:date|at)?|datesalepriceends|datumandemangebotspreisendet)(?:gmt)?$/,
  spans: /^g?salepriceeffectivedate$/,
  bids: /^(?:start|current)price$/,
  formats: /^(?:listing)?format$|^listingtype$/,
}
const isAuction = /^(?:auction|auktion|chinese)/i
/** No name of a price, so that it is not taken for one. */
const noteName = 'sale_price_note'
const bidsName = 'bid_note'
const dayMs = 86_400_000

/** Whether a column by this name says when there is a sale, or whether there is an auction. */
export function tellsOfSale(leaf: string): boolean {
  const key = foldedKey(leaf)
  return [shapes.flags, shapes.starts, shapes.ends, shapes.spans, shapes.formats].some((one) => one.test(key))
}

/** `group`: the path of the object that has the members. */
export function saleColumns(names: readonly string[], group: string): SaleColumns {
  const start = group === '' ? '' : `${group}.`
  const keys = names
    .filter((name) => name.startsWith(start) && !name.slice(start.length).includes('.'))
    .map((name) => [name, foldedKey(name.slice(start.length))] as const)
  const like = (part: keyof SaleColumns) =>
    keys.filter(([, key]) => shapes[part].test(key)).map(([name]) => name)
  return {
    prices: like('prices'),
    usual: like('usual'),
    flags: like('flags'),
    starts: like('starts'),
    ends: like('ends'),
    spans: like('spans'),
    bids: like('bids'),
    formats: like('formats'),
  }
}

/** `today`: as `2026-03-01`. */
export function dropEndedSale(table: CellTable, sale: SaleColumns, today: string): void {
  const price = sale.prices.find((name) => !isNothing(table.get(name)))
  if (price === undefined || isOn(table, sale, Date.parse(today))) return
  const text = cellText(table.get(price)).trim()
  // Shops write a price of 0 where there is no sale at all.
  if (Number(text.replace(',', '.')) === 0) {
    table.set(price, '')
    return
  }
  const usual = sale.usual.filter((name) => !isNothing(table.get(name)))
  const same = usual.filter((name) => cellText(table.get(name)).trim() === text)
  // While the sale was on, its price was the price of the watch, too.
  for (const name of [price, ...(same.length < usual.length ? same : [])]) table.set(name, '')
  table.set(noteName, `${text} (not on sale)`)
}

/** A watch at auction has the price for which it can be bought at once, or none. Elsewhere, the current price counts. */
export function dropBids(table: CellTable, { bids, formats }: SaleColumns): void {
  const said = bids.filter((name) => !isNothing(table.get(name)))
  const starts = said.filter((name) => /start/i.test(name))
  // Without a start price, the current one may be that of an auction which is over.
  if (starts.length === 0) return
  if (!formats.some((name) => isAuction.test(cellText(table.get(name)).trim()))) {
    const others = said
      .filter((name) => !starts.includes(name))
      .map((name) => cellText(table.get(name)).trim())
    if (others.length === 0) return
    for (const name of starts) {
      // At a fixed price, both are the same.
      if (others.includes(cellText(table.get(name)).trim())) table.set(name, '')
      else keepAsNote(table, name, 'start_price_note')
    }
    return
  }
  table.set(bidsName, said.map((name) => `${name.replace('*', '')}: ${cellText(table.get(name))}`).join(', '))
  for (const name of said) table.set(name, '')
}

/** Whether the bids of an auction are all that the record says of a price. */
export function hasOnlyBids(cells: readonly NamedCell[]): boolean {
  if (!cells.some(({ name, cell }) => name === bidsName && !isNothing(cell))) return false
  return !cells.some(({ name, cell }) => /buyitnowprice$/.test(foldedKey(name)) && !isNothing(cell))
}

function keepAsNote(table: CellTable, name: string, note: string): void {
  table.set(note, cellText(table.get(name)))
  table.set(name, '')
}

function isOn(table: CellTable, sale: SaleColumns, today: number): boolean {
  const spans = sale.spans.map((name) => cellText(table.get(name)).split('/'))
  const starts = [...sale.starts.map((name) => table.get(name)), ...spans.map(([start]) => start)]
  const ends = [...sale.ends.map((name) => table.get(name)), ...spans.map(([, end]) => end)]
  if (starts.some((cell) => isDay(cell, (day) => day > today))) return false
  if (ends.some((cell) => isDay(cell, (day) => day < today))) return false
  // Elsewhere, the watch itself may not be for sale.
  const hasUsual = sale.usual.some((name) => !isNothing(table.get(name)))
  return !hasUsual || !sale.flags.some((name) => isNo(cellText(table.get(name)).trim()))
}

function isNo(text: string): boolean {
  return text === '0' || findTruth(text) === false
}

/** Of a day that may be two days, both must fit. */
function isDay(cell: unknown, fits: (dayMs: number) => boolean): boolean {
  if (isNothing(cell)) return false
  const moments = (['dmy', 'mdy'] as const).map((given) => parseMoment(cellText(cell), { given }))
  const days = moments
    .filter((moment) => typeof moment === 'number')
    .map((moment) => moment - (moment % dayMs))
  return days.length > 0 && days.every(fits)
}
