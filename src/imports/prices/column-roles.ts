// Tells from the name of a column which role it may have in a file of prices: the day, the watch, a price, and so on.
import { findNamedCurrency, splitCurrency } from '../cells/currencies.ts'
import { isDayName } from '../cells/price-day.ts'
import { readColumnName, readPriceName } from '../mapping/column-names.ts'
import { readName, wordsOf } from '../mapping/header-words.ts'
import { bareName, withoutArticles } from '../mapping/price-names.ts'

/** The maker's retail price, or the market price. */
export type PriceKind = 'retail' | 'market'

interface DateRole {
  readonly is: 'date'
  /** Whether any other column of days comes before it. */
  readonly isLast: boolean
}

interface PriceRole {
  readonly is: 'price'
  readonly kind: PriceKind
  readonly currency: string | undefined
  /** Whether the name says no kind: `kind` is then that of --as. */
  readonly isPlain: boolean
  /** Whether the name is in no list, and was read by its words: any other column of this kind comes before it. */
  readonly isByWords: boolean
}

/** The prices of one day, which the column's name gives. */
interface DayRole {
  readonly is: 'day'
  readonly day: string
  readonly currency: string | undefined
  /** Undefined if the name says no kind. */
  readonly kind?: PriceKind | undefined
}

export type ColumnRole =
  | DateRole
  | { readonly is: 'watch_id' | 'id' | 'reference' | 'currency' | 'source' | 'kind' }
  /** `isHouse`: beside another brand, the name is that of an auction house. */
  | { readonly is: 'brand'; readonly isHouse: boolean }
  | PriceRole
  /** All prices of one watch, which the column's name identifies. */
  | { readonly is: 'watch' }
  | DayRole
  | { readonly is: 'nothing' }

/** Role → column names, for roles other than prices. */
const roleNames = {
  date: `date, day, datetime, date time, timestamp, time, month, period, as of, as of date, price date, valid from, since,
    recorded at, observed at, date last sold, last sold date, last sold on, last sale date, date of last sale, date sold, sold date, sale date, date of sale, sold on, sold at, auction date, date of auction,
    transaction date, datum, tag, monat, stichtag, preisdatum, verkaufsdatum, verkauft am, auktionsdatum, jour, mois,
    date de vente, date de la vente, vendu le, date du prix, giorno, mese, data, data di vendita, data vendita, venduto il, data asta,
    fecha, dia, mes, fecha de venta, vendido el, fecha de subasta, dag, maand, verkoopdatum, verkocht op, veilingdatum,
    data da venda, data de venda, vendido em, 日付, 年月日, 年月, 販売日, 落札日`,
  watch_id: 'watch id, watchdata id',
  id: 'id',
  currency: 'currency, currency code, ccy, iso currency, wahrung, waehrung, devise, moneda, valuta',
  source: 'source, price source, data source, provider, origin, quelle',
  kind: `kind, price kind, kind of price, price type, type of price, preisart, preistyp, art des preises, type de prix, type prix,
    tipo di prezzo, tipo prezzo, tipo de precio, tipo precio, tipo de preco, prijstype, prijssoort, soort prijs, 価格種別,
    価格タイプ, 価格の種類`,
} as const

type NamedRole = keyof typeof roleNames

/** Days on which somebody offered or wrote down a price. */
const lastDates = `ts, listing date, listed date, date listed, listed on, listed at, offer date, date of offer, scrape date, date scraped, scraped at,
  scraped on, crawl date, crawled at, retrieved at, retrieved on, fetched at, snapshot date, date recorded, recorded on, checked on,
  effective date, effective from, price as of, angebotsdatum, eingestellt am, inseriert am, erfasst am, erfassungsdatum, abgerufen am,
  abrufdatum, gultig ab, gueltig ab, stand, date d'annonce, date annonce, date de releve, valable des, releve le, data annuncio, data di rilevazione,
  valido dal, fecha de anuncio, fecha de publicacion, valido desde, 掲載日, 取得日, 出品日`

/** Names of price columns whose kind only --as can tell. */
const plainPrices = `price, prices, value, amount, close, closing price, last price, average price, avg price, mean price, median price,
  average, avg, median, durchschnittspreis, mittlerer preis, preis, prix, prezzo, precio, preco, prijs, hammer price, hammer, price realised, price realized,
  realised price, realized price, sold price, price sold, sold for, final price, auction price, winning bid, zuschlagspreis,
  zuschlag, hammerpreis, prix marteau, prix au marteau, prix adjuge, adjudication, prix d'adjudication, prix realise, prezzo di aggiudicazione, prezzo realizzato,
  precio de martillo, precio de remate, precio de adjudicacion, hamerprijs, 落札価格`

/** What a name says of how its prices were taken together. */
const averages =
  /(?<!\p{L})(?:avg|average|mean|median|durchschnitt(?:lich(?:er)?)?|mittlerer|moyenn?e?|medi[oa]|mediana|gemiddelde?)(?!\p{L})\.?|ø/giu

const nothing = { is: 'nothing' } as const
const roles = new Map<string, NamedRole>(
  Object.entries(roleNames).flatMap(([role, names]) =>
    names.split(/,\s+/).map((name) => [wordsOf(name).join(''), role as NamedRole] as const),
  ),
)
const houseNames: ReadonlySet<string> = new Set(['maison', 'house', 'casa', 'haus'])
/** Market prices that other columns of market prices come before. */
const otherMarketPrices = new Set(
  'street price, grey market price, gray market price, grey price, gray price'.split(', '),
)
/** Words of a name that may say a kind and a day. */
const dayWordsMax = 8
const lastDateNames = new Set(lastDates.split(/,\s+/).map((name) => wordsOf(name).join('')))
const pricesOfNoKind = new Set(plainPrices.split(/,\s+/).map((name) => withoutArticles(wordsOf(name))))

export function roleOf(name: string, as: PriceKind): ColumnRole {
  const role = roles.get(wordsOf(name).join(''))
  if (role === 'date') return { is: role, isLast: false }
  if (role !== undefined) return { is: role }
  if (lastDateNames.has(wordsOf(name).join(''))) return { is: 'date', isLast: true }
  return findDay(name, as) ?? findPlainPrice(name, as) ?? findKnown(name, as)
}

/** `2024-01`, `Retail Jan 2024`, `2024-01 market price (EUR)`. */
function findDay(name: string, as: PriceKind): DayRole | undefined {
  const { name: bare, currency } = splitCurrency(name)
  const words = bare.trim().split(/\s+/, dayWordsMax)
  for (let cut = 1; cut < words.length; cut++) {
    const [first, last] = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')]
    for (const [price, day] of [
      [first, last],
      [last, first],
    ] as const) {
      const role = isDayName(day) ? (findPlainPrice(price, as) ?? findListed(price)) : undefined
      if (role !== undefined) return { is: 'day', day, currency, kind: role.isPlain ? undefined : role.kind }
    }
  }
  return undefined
}

/** With more than a currency beside, such as `Price incl. premium`, the name is not in the list. */
function findPlainPrice(name: string, kind: PriceKind): PriceRole | undefined {
  const coded = withCodes(name)
  const { words, currency, year, region } = bareName(coded)
  const isBare = year === undefined && region === undefined && !name.includes('%')
  if (!isBare || !pricesOfNoKind.has(withoutArticles(words))) return undefined
  const isListed = readName(coded).some((reading) => {
    const isCurrency = reading.mark === undefined || findNamedCurrency(reading.mark) !== undefined
    return isCurrency && pricesOfNoKind.has(withoutArticles(reading.words))
  })
  return { is: 'price', kind, currency, isPlain: true, isByWords: !isListed }
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
  if (to === 'brand') return { is: 'brand', isHouse: houseNames.has(wordsOf(name).join('')) }
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
  const { words, currency: ofName } = bareName(withCodes(name))
  if (otherMarketPrices.has(words.join(' ')))
    return { is: 'price', kind: 'market', currency: ofName, isPlain: false, isByWords: true }
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
