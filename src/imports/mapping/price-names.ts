// Knows which names of columns sound like prices, beyond those of the name table, and which price they name.
import { findNamedCurrency } from '../cells/currencies.ts'
import { wordsOf } from './header-words.ts'

export type PriceField = 'retail_price_usd' | 'current_market_price'

/** In the languages of the name table. */
const priceWords =
  /price|preis|prix|prezzo|precio|preco|prijs|pris(?:_|$)|(?:^|_)(?:cena|hinta)(?:_|$)|fiyat|価格|[價价][錢钱格]|цена|ціна|(?:^|_)vk_?\d(?:_|$)/
/** Columns that may be prices as well, if no other column is. */
const valueWords =
  /(?:^|_)(?:value|wert|valeur|valore|valor|worth|msrp|rrp|uvp)(?:_[a-z]{3})?$|marktwert|(?:^|_)(?:estimat(?:ed?|es|ion)|schatzung|schaetzung|stima|estimacion|taxatie)(?:_|$)|^(?:low|high)(?:_[a-z]{3})?$/
const moneyWords =
  /(?:^|_)(?:value|wert|valeur|valore|valor|worth|msrp|rrp|mrp|srp|uvp|pvp|retail|asking|ask|hammer|estimate|marktwert)(?:_|$)|[価價价]/
/** Prices of something else than the watch, and columns that only speak of its price. */
const otherThings = new RegExp(
  `ship|deposit|cashback|normali[sz]ed|standardi[sz]ed|deviation|volatil|(?:^|_)(?:${[
    'unit|strap|bracelet|armband|box|service|servicing|repair|revision',
    'drop|changed?|changes|updated|date|history|trend|alerts?|negotiable|type|source|notes?|status|currency|symbol|codes?|is|has',
    'log(?:10)?|ln|z_?scores?|scores?|ratings?|rank|ranking|percentiles?|quantiles?|quartiles?|deciles?|index|idx|std|stddev|stdev|variance|ratio|diff|difference|delta',
    'percent|pct|percentage|percent_?off|tiers?|category|class|group|bucket|level|points?|ids?|counts?|num|nr|qty',
    '(?:per|pro)(?!_(?:piece|pcs?|watch|item|stuck|stueck|uhr))|month|monthly|daily|weekly|nights?|nightly|hourly|prices?_(?:day|week|hour)|gram(?:m|me|o|s)?|ounces?|oz|carats?',
    'rent|rental|leas(?:e|ing)|noleggio|alquiler|huur|install?ments?|financing|weights?|sizes?|attribute|property',
  ].join(
    '|',
  )})(?:_|$)|preis(?:index|klasse|gruppe|stufe|kategorie|alarm|anderung|aenderung|entwicklung)|mietpreis|grammpreis`,
)
/** The price of the watch with a strap, not that of the strap. */
const pricesWithStrap = /^prices?_(?:on_|with_)?(?:strap|bracelet|armband)$/
/** What is paid beside the price. */
const otherAmounts =
  /ship|postage|deposit|(?:^|_)(?:month|monthly|per_(?:gram|ounce|carat|day|night)|tax|taxes|fees?|service|repair|rent|rental|leas(?:e|ing)|install?ments?|cashback)(?:_|$)/
const estimateWords = /estimat|schatz|schaetz|(?:^|_)(?:stima|taxatie|low|high)(?:_|$)/
/** Prices of the watch other than the current one. */
const otherPrices =
  /predict|forecast|projected|(?:^|_)(?:ago|last_year|last_month|former|min|minimum|max|maximum|melt|scrap)(?:_|$)|purchase|paid|cost|buy|insur|old|previous|original|compare|reserve|wholesale|trade_in|bid|utrop|estimat|einkauf|origine|ursprungl|ursprueng|(?:^|_)(?:discounts?|reduced|reductions?|list)$|(?:^|_)(?:start|starting|opening|low|lowest|high|highest|from)(?:_|$)|startpreis|startpris|schatz|schaetz/
/** A price that holds until the usual one does again. It may be there for some watches only. */
const saleWords =
  /(?:^|_)(?:sale|special|discount(?:ed)?|reduced|offer|angebots?|aktions?|sonder|promo|oferta|offerta|scontato|aanbiedings?)(?:_?(?:price|preis|prijs))?(?:_|$)/

/** Words of a name that say which price it is, and words that say nothing. A name with any other word is not read. */
const wordKinds: Readonly<Record<'retail' | 'market' | 'price' | 'neutral', RegExp>> = {
  retail:
    /^(?:msrp|rrp|mrp|srp|uvp|pvp|retail|list|liste|listino|lista|catalog(?:ue|o)?|katalog|new|neu|neuf|nuovo|nuevo|novo|nieuw|public|pubblico|publico|boutique|launch|official|officiel|ufficiale|oficial|recommended|suggested|conseille|consigliato|recomendado|sugerido|(?:neu|listen|laden|katalog|catalogus|nieuw|advies|winkel)(?:preis|prijs))$/,
  market:
    /^(?:market|markt|marche|mercato|mercado|selling|sale|asking|vente|vendita|venta|venda|vk|regular|special|discount(?:ed)?|reduced|offer|promo|resale|used|preowned|(?:verkaufs?|angebots|aktions|sonder|markt|vraag|verkoop|aanbiedings)(?:preis|prijs)|marktwert|verkaufswert)$/,
  price: /^(?:prices?|preise?|prix|prezzo|prezzi|precio|preco|prijs|cena|value|wert|valeur|valore|valor)$/,
  neutral:
    /^(?:average|avg|mean|median|current|aktueller?|actuel|attuale|actual|the|brand|at|when|watch|uhr|montre|in|of|de|d|di|da|do|del|della|du|der|le|la|el|al|au)$/,
}
/**
 * Words that say which price it is only in front of one: `Discount Price`. Elsewhere they name something else, as in
 * `Price discount`, `Sale value` and `Price list`.
 */
const strayAdjective =
  /(?:^| )(?:sale|special|discount(?:ed)?|reduced|offer|promo|list)(?! (?:(?:sale|special|discount(?:ed)?|reduced|offer|promo|list) )*(?:prices?|preise?|prix|prezzo|precio|preco|prijs|cena)(?: |$))/
/** Words that stand between others in one name and not in another: `Prezzo di listino`, `Prezzo listino`. */
const articles = /^(?:in|of|the|de|d|di|da|do|del|della|du|der|le|la|el|al|au)$/

const taxes =
  'vat|tax|taxes|gst|sales tax|mwst|m w st|ust|umsatzsteuer|steuern?|iva|tva|btw|moms|mw st|impuestos|frais|fees|(?:buyer s |buyers )?premium|aufgeld|commissioni'
const withTax =
  'inc|incl|inkl|including|inclusive|inklusive|inclusief|ex|exc|excl|exkl|excluding|exclusive|exklusive|exclusief|without|with|plus|ohne|mit|zzgl|hors|avec|sans|con|senza|sin|toutes|before|after'
const taxWith =
  'inc|incl|inkl|included|inclusive|inclus|incluse?s|inclusa|incluso|inclusi|incluid[oa]s?|inbegriffen|inbegrepen|comprise?s?|ex|exc|excl|excluded|esclus[oa]|excluid[oa]s?|non comprise?s?'
/** What a name says of tax and fees. It is the price of the watch in all these cases. */
const taxNotes = new RegExp(
  `(?<= |^)(?:(?:${withTax})(?: of)?(?: all)? (?:${taxes})(?: (?:${taxWith}))?|(?:${taxes}) (?:${taxWith})|ht|h t|ttc|t t c|net|netto|gross|brutto|税込み?|税抜き?|税別)(?= |$)`,
  'gu',
)
const taxRate = '\\d{1,2}(?:[.,]\\d{1,2})? ?%'
const rateBefore = new RegExp(`(?<![\\d.,])${taxRate}(?= ?(?:${taxes})(?!\\p{L}))`, 'giu')
const rateBehind = new RegExp(`(?<=(?<!\\p{L})(?:${taxes})\\.? ?)${taxRate}`, 'giu')
/** `(TVA 20%)`, which is none without its rate. */
const taxInBrackets = new RegExp(`[([](?:${taxes})\\.? ?${taxRate}[)\\]]`, 'giu')
/** What it says if they are not included. */
const netNotes = new RegExp(
  `(?:^| )(?:(?:ex|exc|excl|exkl|exclu(?:ding|sive)|exklusive|exclusief|without|before|plus|ohne|zzgl|hors|sans|senza|sin)(?: of)?(?: all)? (?:${taxes})|(?:${taxes}) (?:ex|exc|excl|excluded|esclus[oa]|excluid[oa]s?|non comprise?s?)|ht|h t|net|netto|税抜き?|税別)(?: |$)`,
  'u',
)
/** Countries and regions in which a retail price holds. */
const regions =
  /^(?:us|usa|uk|gb|eu|europe|europa|european|swiss|switzerland|schweiz|schweizer|suisse|svizzera|suiza|germany|german|deutschland|deutscher?|austria|osterreich|france|francais|italy|italia|italian|spain|espana|japan|japanese|hk|hong|kong|singapore|china|uae|dubai|canada|australia)$/
const yearWord = /^(?:19|20)\d\d$/
const yearInKey = /_?(?<!\d)(?:19|20)\d\d(?!\d)/

/** `key` is the name in snake_case. */
export function isPriceName(key: string): boolean {
  return priceWords.test(key) && !otherPrices.test(key) && !otherThings.test(key)
}

/** Whether the name is about the price of a new watch, or about that of its authorized dealers: `AD Price`. */
export function isRetailName(key: string): boolean {
  return key.split('_').some((word) => word === 'ad' || wordKinds.retail.test(word))
}

/** Whether the name is that of an estimate before an auction. */
export function isEstimateName(key: string): boolean {
  return estimateWords.test(key)
}

/** Whether the name may be that of prices which the operator should know about. */
export function isValueName(key: string): boolean {
  const undated = key.replace(yearInKey, '')
  if (pricesWithStrap.test(undated)) return true
  return (priceWords.test(undated) || valueWords.test(undated)) && !otherThings.test(undated)
}

/** Whether the name has a word for money anywhere: `MSRP ($K)`, `Value in thousands`. */
export function hasMoneyWord(key: string): boolean {
  return priceWords.test(key) || moneyWords.test(key)
}

/** Whether an amount of money under this name cannot be the price of a watch. */
export function isOtherAmount(key: string): boolean {
  return otherAmounts.test(key)
}

export function isSaleName(key: string): boolean {
  return saleWords.test(key)
}

/** Whether the name is that of a new watch's price, or, beside the price of a sale, of an earlier price of the shop. */
export function isOriginalName(key: string): boolean {
  return /original|origine|ursprungl|ursprueng/.test(key)
}

/** Whether the name is that of a price to which taxes or fees are added. */
export function isNetName(name: string): boolean {
  return netNotes.test(wordsOf(withoutTaxRate(name)).join(' '))
}

/** `RRP incl. 8.1% VAT` is `RRP incl. VAT`. */
export function withoutTaxRate(name: string): string {
  if (!name.includes('%')) return name
  return name.replace(taxInBrackets, ' ').replace(rateBefore, '').replace(rateBehind, '')
}

/** The year of prices that hold for a year: `price_2019`. */
export function findPriceYear(key: string): number | undefined {
  const [year] = yearInKey.exec(key) ?? []
  return year === undefined ? undefined : Number(year.replace('_', ''))
}

/** The words of a name without what it says of tax, currency, year and country. */
export interface BareName {
  readonly words: readonly string[]
  readonly currency: string | undefined
  readonly year: number | undefined
  /** The words for a country or a region, of which `words` has none. */
  readonly region: string | undefined
}

export function bareName(written: string): BareName {
  const name = withoutTaxRate(written)
  const words = wordsOf(name)
    .join(' ')
    .replace(/^what (?:is|s) /, '')
    .replace(taxNotes, ' ')
    .split(/ +/)
  const marks = name.normalize('NFKC').split(/[\s()[\]{}_/:;,.?!・-]+/)
  const currency = marks.map(findNamedCurrency).find((code) => code !== undefined)
  const year = words.find((word) => yearWord.test(word))
  const region = words.filter((word) => regions.test(word)).join(' ')
  const isKept = (word: string) => word !== '' && word !== year && !regions.test(word)
  return {
    words: words.filter((word) => isKept(word) && findNamedCurrency(word) === undefined),
    currency,
    year: year === undefined ? undefined : Number(year),
    region: region === '' ? undefined : region,
  }
}

/** The words as one text, without articles. */
export function withoutArticles(words: readonly string[]): string {
  return words.filter((word) => !articles.test(word)).join('')
}

/** Reads a name by its words alone. Undefined if any word is not known, or if the words do not say which price it is. */
export function priceFieldOf(words: readonly string[], hasCurrency = false): PriceField | undefined {
  const has = (kind: keyof typeof wordKinds) => words.some((word) => wordKinds[kind].test(word))
  const isKnown = words.every((word) => Object.values(wordKinds).some((kind) => kind.test(word)))
  if (!isKnown || has('retail') === has('market') || strayAdjective.test(words.join(' '))) return undefined
  // `Retail Market` and `Neu` alone are no prices; `market_usd` is.
  const isPrice =
    hasCurrency ||
    has('price') ||
    words.some((word) => /.(?:preis|prijs|wert)$|^(?:msrp|rrp|mrp|srp|uvp|pvp)$/.test(word))
  if (!isPrice) return undefined
  return has('retail') ? 'retail_price_usd' : 'current_market_price'
}
