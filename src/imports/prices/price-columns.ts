// Finds the role of each column in a file of prices. A long file has a row for each price and columns that name the
// watch; a wide file has a row for each day and a column for each watch, or a row for each watch and a column for each
// day.
import { Failure } from '../../errors.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import type { DecimalSign } from '../cells/money.ts'
import { isDayName } from '../cells/price-day.ts'
import { readColumnName } from '../mapping/column-names.ts'
import { readName, wordsOf } from '../mapping/header-words.ts'

/** The maker's retail price, or the market price. */
export type PriceKind = 'retail' | 'market'

export type ColumnRole =
  | { readonly is: 'date' | 'watch_id' | 'id' | 'brand' | 'reference' | 'currency' | 'source' | 'kind' }
  | { readonly is: 'price'; readonly kind: PriceKind; readonly currency: string | undefined }
  /** All prices of one watch, which the column's name identifies. */
  | { readonly is: 'watch' }
  /** The prices of one day, which the column's name gives. */
  | { readonly is: 'day'; readonly day: string; readonly currency: string | undefined }
  | { readonly is: 'nothing' }

/** A column of the file, and how it is read. */
export interface PriceColumn {
  readonly name: string
  readonly role: ColumnRole
  readonly decimal: DecimalSign | undefined
  /** The currency that a line above the header names, for prices without one. */
  readonly currency: string | undefined
}

export interface PriceLayout {
  /** What a row has: a price, the prices of all watches on a day, or the prices of a watch on all days. */
  readonly rows: 'prices' | 'days' | 'watches'
  /** Whether this service exported the file: its rows are complete, and an empty price means that there is none. */
  readonly isExport: boolean
}

/** Role → column names, for roles other than prices. */
const roleNames = {
  date: `date, day, datetime, date time, timestamp, time, month, period, as of, as of date, price date, valid from, since,
    recorded at, observed at, date sold, sold date, sale date, date of sale, sold on, sold at, auction date, date of auction,
    transaction date, datum, tag, monat, stichtag, preisdatum, verkaufsdatum, verkauft am, auktionsdatum, jour, mois,
    date de vente, date de la vente, vendu le, date du prix, giorno, mese, data, data di vendita, data vendita, venduto il, data asta,
    fecha, dia, mes, fecha de venta, vendido el, fecha de subasta, dag, maand, verkoopdatum, verkocht op, veilingdatum,
    data da venda, data de venda, vendido em, 日付, 年月日, 年月, 販売日, 落札日`,
  watch_id: 'watch id, watchdata id',
  id: 'id',
  currency: 'currency, currency code, ccy, iso currency, wahrung, devise, moneda, valuta',
  source: 'source, price source, data source, provider, origin, quelle',
  kind: 'kind, price kind, kind of price, price type, type of price, preisart',
} as const

type NamedRole = keyof typeof roleNames

/** Names of price columns whose kind only --as can tell. */
const plainPrices = `price, prices, value, amount, close, closing price, last price, average price, avg price, mean price, median price,
  average, median, preis, prix, prezzo, precio, preco, prijs, hammer price, hammer, price realised, price realized,
  realised price, realized price, sold price, price sold, sold for, final price, auction price, winning bid, zuschlagspreis,
  zuschlag, hammerpreis, prix marteau, prix adjuge, prix realise, prezzo di aggiudicazione, prezzo realizzato,
  precio de martillo, precio de remate, precio de adjudicacion, hamerprijs, 落札価格`

const noWatch =
  'prices but no column that says of which watch: name that column reference, with brand beside it, or id'
const nothing = { is: 'nothing' } as const

const exportColumns = ['watch_id', 'date', 'retail_price_usd', 'current_market_price', 'source']

const roles = new Map<string, NamedRole>(
  Object.entries(roleNames).flatMap(([role, names]) =>
    names.split(/,\s+/).map((name) => [wordsOf(name).join(''), role as NamedRole] as const),
  ),
)
const pricesOfNoKind = new Set(plainPrices.split(/,\s+/).map((name) => wordsOf(name).join('')))

export function readLayout(file: string, names: readonly string[], as: PriceKind): PriceLayout {
  const isExport =
    names.length === exportColumns.length && exportColumns.every((name) => names.includes(name))
  const read = names.map((name) => roleOf(name, as))
  const has = (...wanted: ColumnRole['is'][]) => read.some(({ is }) => wanted.includes(is))
  const isLong = has('watch_id', 'reference', 'id')
  if (!has('date')) {
    if (!has('day'))
      throw new Failure(`${file} has no column of days: name it date, in the first row of the file.`)
    if (!isLong) throw new Failure(`${file} has ${noWatch}.`)
    // A column that is only called price has no day.
    refuseTwice(
      file,
      names,
      read.map((role) => (role.is === 'price' ? nothing : role)),
    )
    return { rows: 'watches', isExport: false }
  }
  if (isLong !== has('price')) {
    const missing = isLong ? 'no column of prices: name it price, retail or market' : noWatch
    throw new Failure(`${file} has ${missing}.`)
  }
  refuseTwice(file, names, read)
  return { rows: isLong ? 'prices' : 'days', isExport: isExport && isLong }
}

export function readRole(name: string, { rows }: PriceLayout, as: PriceKind): ColumnRole {
  const role = roleOf(name, as)
  const isOfRow = role.is === 'date' || role.is === 'currency' || role.is === 'source'
  return rows === 'days' && !isOfRow ? { is: 'watch' } : role
}

export function isKnownColumn(name: string, as: PriceKind): boolean {
  return roleOf(name, as).is !== 'nothing'
}

/** Splits `126334 (EUR)` into the column's name and its currency. */
export function splitCurrency(name: string): { readonly name: string; readonly currency?: string } {
  const [, before = '', mark = ''] = /^(.*\S)\s*\(([^()]+)\)\s*$/.exec(name) ?? []
  const currency = findNamedCurrency(mark)
  return currency === undefined ? { name } : { name: before, currency }
}

function roleOf(name: string, as: PriceKind): ColumnRole {
  const role = roles.get(wordsOf(name).join(''))
  if (role !== undefined) return { is: role }
  return findPlainPrice(name, as) ?? findKnown(name)
}

function findPlainPrice(name: string, kind: PriceKind): ColumnRole | undefined {
  for (const { words, mark } of readName(name)) {
    if (!pricesOfNoKind.has(words.join(''))) continue
    const currency = mark === undefined ? undefined : findNamedCurrency(mark)
    if (mark === undefined || currency !== undefined) return { is: 'price', kind, currency }
  }
  return undefined
}

/** Looks the name up among the column names of watch files. A bare `retail` or `market` is unambiguous here. */
function findKnown(name: string): ColumnRole {
  const [bare = ''] = wordsOf(name)
  const { to, currency } = readColumnName(
    bare === 'market' && wordsOf(name).length === 1 ? 'market price' : name,
  )
  if (to === 'brand') return { is: 'brand' }
  if (to === 'reference_number') return { is: 'reference' }
  if (to === 'retail_price_usd') return { is: 'price', kind: 'retail', currency }
  if (to === 'current_market_price') return { is: 'price', kind: 'market', currency }
  const day = splitCurrency(name)
  return isDayName(day.name) ? { is: 'day', day: day.name, currency: day.currency } : nothing
}

/** Fails if two columns have the same role: which of them counts would be a guess. */
function refuseTwice(file: string, names: readonly string[], read: readonly ColumnRole[]): void {
  const seen = new Map<string, string>()
  for (const [at, role] of read.entries()) {
    if (role.is === 'nothing' || role.is === 'day') continue
    const what = role.is === 'price' ? `${role.kind} price` : role.is
    const name = names[at] ?? ''
    const other = seen.get(what)
    if (other !== undefined) {
      throw new Failure(
        `${file} has two columns for the ${what}, ${other} and ${name}: rename or remove one.`,
      )
    }
    seen.set(what, name)
  }
}
