// Finds the role of each column in a file of prices. A long file has a row for each price and columns that name the
// watch; a wide file has a row for each day and a column for each watch, or a row for each watch and a column for each
// day.
import { Failure } from '../../errors.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import type { DecimalSign } from '../cells/money.ts'
import { isDayName } from '../cells/price-day.ts'
import { readColumnName, readPriceName } from '../mapping/column-names.ts'
import { wordsOf } from '../mapping/header-words.ts'
import { bareName, withoutArticles } from '../mapping/price-names.ts'

/** The maker's retail price, or the market price. */
export type PriceKind = 'retail' | 'market'

interface PriceRole {
  readonly is: 'price'
  readonly kind: PriceKind
  readonly currency: string | undefined
  /** Whether the name says no kind: `kind` is then that of --as. */
  readonly isPlain: boolean
  /** Whether the name is in no list, and was read by its words: any other column of this kind comes before it. */
  readonly isByWords: boolean
}

export type ColumnRole =
  | { readonly is: 'date' | 'watch_id' | 'id' | 'brand' | 'reference' | 'currency' | 'source' | 'kind' }
  | PriceRole
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
  /** The kinds of the prices whose columns have names that are listed. */
  readonly listed: ReadonlySet<PriceKind>
  /** Whether rows may say which kind their prices are: the names of the columns do not say it for both kinds. */
  readonly hasOpenKind: boolean
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
  kind: `kind, price kind, kind of price, price type, type of price, preisart, preistyp, art des preises, type de prix, type prix,
    tipo di prezzo, tipo prezzo, tipo de precio, tipo precio, tipo de preco, prijstype, prijssoort, soort prijs, 価格種別,
    価格タイプ, 価格の種類`,
} as const

type NamedRole = keyof typeof roleNames

/** Names of price columns whose kind only --as can tell. */
const plainPrices = `price, prices, value, amount, close, closing price, last price, average price, avg price, mean price, median price,
  average, avg, median, durchschnittspreis, mittlerer preis, preis, prix, prezzo, precio, preco, prijs, hammer price, hammer, price realised, price realized,
  realised price, realized price, sold price, price sold, sold for, final price, auction price, winning bid, zuschlagspreis,
  zuschlag, hammerpreis, prix marteau, prix adjuge, prix realise, prezzo di aggiudicazione, prezzo realizzato,
  precio de martillo, precio de remate, precio de adjudicacion, hamerprijs, 落札価格`

/** What a name says of how its prices were taken together. */
const averages =
  /(?<!\p{L})(?:avg|average|mean|median|durchschnitt(?:lich(?:er)?)?|mittlerer|moyenn?e?|medi[oa]|mediana|gemiddelde?)(?!\p{L})\.?|ø/giu

const noWatch =
  'prices but no column that says of which watch: name that column reference, with brand beside it, or id'
const nothing = { is: 'nothing' } as const
/** What a row for all watches says of its prices. */
const ofRows: ReadonlySet<ColumnRole['is']> = new Set(['date', 'currency', 'source', 'kind'])

const exportColumns = ['watch_id', 'date', 'retail_price_usd', 'current_market_price', 'source']

const roles = new Map<string, NamedRole>(
  Object.entries(roleNames).flatMap(([role, names]) =>
    names.split(/,\s+/).map((name) => [wordsOf(name).join(''), role as NamedRole] as const),
  ),
)
const pricesOfNoKind = new Set(plainPrices.split(/,\s+/).map((name) => withoutArticles(wordsOf(name))))

export function readLayout(file: string, names: readonly string[], as: PriceKind): PriceLayout {
  const isExport =
    names.length === exportColumns.length && exportColumns.every((name) => names.includes(name))
  const all = names.map((name) => roleOf(name, as))
  const isLong = all.some(({ is }) => is === 'watch_id' || is === 'reference' || is === 'id')
  const hasDate = all.some(({ is }) => is === 'date')
  const layout = { rows: hasDate ? (isLong ? 'prices' : 'days') : 'watches', ...kindsOf(all) } as const
  const read = names.map((name) => readRole(name, layout, as))
  if (!hasDate) {
    if (!read.some(({ is }) => is === 'day'))
      throw new Failure(`${file} has no column of days: name it date, in the first row of the file.`)
    if (!isLong) throw new Failure(`${file} has ${noWatch}.`)
  } else if (isLong !== all.some((role) => role.is === 'price' && (isLong || !role.isByWords))) {
    const missing = isLong ? 'no column of prices: name it price, retail or market' : noWatch
    throw new Failure(`${file} has ${missing}.`)
  }
  refuseTwice(file, names, read)
  return { ...layout, isExport: isExport && isLong }
}

function kindsOf(read: readonly ColumnRole[]): Pick<PriceLayout, 'listed' | 'hasOpenKind'> {
  const prices = read.filter((role) => role.is === 'price')
  const named = new Set(prices.flatMap(({ isPlain, kind }) => (isPlain ? [] : [kind])))
  const listed = new Set(prices.flatMap(({ isByWords, kind }) => (isByWords ? [] : [kind])))
  return { listed, hasOpenKind: named.size < 2 || prices.some(({ isPlain }) => isPlain) }
}

export function readRole(
  name: string,
  { rows, listed, hasOpenKind }: Omit<PriceLayout, 'isExport'>,
  as: PriceKind,
): ColumnRole {
  const role = roleOf(name, as)
  if (rows === 'days') return ofRows.has(role.is) ? role : { is: 'watch' }
  if (rows === 'prices' && role.is === 'kind' && !hasOpenKind) return nothing
  if (role.is !== 'price') return role
  // Beside columns of days, a column that is only called price has no day.
  return rows === 'watches' || (role.isByWords && listed.has(role.kind)) ? nothing : role
}

/** Whether the name is that of a column of prices, in any layout. */
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
  return findPlainPrice(name, as) ?? findKnown(name, as)
}

/** A name says no more of the price if it has only its currency and tax beside. */
function findPlainPrice(name: string, kind: PriceKind): PriceRole | undefined {
  const { words, currency, year, region } = bareName(withCodes(name))
  const isBare = year === undefined && region === undefined && !name.includes('%')
  if (!isBare || !pricesOfNoKind.has(withoutArticles(words))) return undefined
  return { is: 'price', kind, currency, isPlain: true, isByWords: false }
}

/** The name with codes in place of the signs of currencies, which are no parts of words: `Price€`, `Price HK$`. */
function withCodes(name: string): string {
  return name.replace(/(?<!\p{L})(\p{L}*)(\p{Sc})/gu, (both, word, sign) => {
    return findNamedCurrency(both) ?? `${word} ${findNamedCurrency(sign) ?? sign}`
  })
}

/** Looks the name up among the column names of watch files. */
function findKnown(name: string, as: PriceKind): ColumnRole {
  const listed = findListed(name)
  if (listed !== undefined) return listed
  const { to } = readColumnName(name)
  if (to === 'brand') return { is: 'brand' }
  if (to === 'reference_number') return { is: 'reference' }
  const day = splitCurrency(name)
  if (isDayName(day.name)) return { is: 'day', day: day.name, currency: day.currency }
  return to === undefined ? findByWords(name, as) : nothing
}

/** A bare `retail` or `market` is unambiguous here. */
function findListed(name: string): PriceRole | undefined {
  const isMarket = bareName(name).words.join('') === 'market'
  // Its currency stays: `Market (€)`.
  const { to, currency } = readColumnName(isMarket ? name.replace(/market/i, 'market price') : name)
  const kind = kindOf(to)
  if (kind === undefined) return undefined
  const named = currency ?? bareName(withCodes(name)).currency
  return { is: 'price', kind, currency: named, isPlain: false, isByWords: false }
}

/** `Avg. market price (EUR)`, `Retail avg`. A price of a year may be anything beside days. */
function findByWords(name: string, as: PriceKind): ColumnRole {
  if (bareName(name).year !== undefined) return nothing
  const bare = name.replace(averages, ' ')
  const listed = bare === name ? undefined : (findPlainPrice(bare, as) ?? findListed(bare))
  if (listed !== undefined) return { ...listed, isByWords: true }
  const { to, currency } = readPriceName(name) ?? {}
  const kind = kindOf(to)
  return kind === undefined ? nothing : { is: 'price', kind, currency, isPlain: false, isByWords: true }
}

/** The kind of the prices that become this field of a watch. */
export function kindOf(field: string | undefined): PriceKind | undefined {
  if (field === 'retail_price_usd') return 'retail'
  return field === 'current_market_price' ? 'market' : undefined
}

/** Fails if two columns have the same role: which of them counts would be a guess. */
export function refuseTwice(file: string, names: readonly string[], read: readonly ColumnRole[]): void {
  const seen = new Map<string, string>()
  for (const [at, role] of read.entries()) {
    if (role.is === 'nothing' || role.is === 'day' || role.is === 'watch') continue
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
