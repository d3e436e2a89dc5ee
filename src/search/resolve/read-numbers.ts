// Reads what numbers in a title say when they are no references: phone numbers, stock numbers, calibres, prices,
// karats, sizes, depths and years. Their words get a role, so that they are not read as references.
import { isFree, mark, type TitleText } from './title-text.ts'

export interface Price {
  readonly value: number
  readonly currency: string | null
}

const phone =
  /\+\s?\d[\d ().-]{7,18}\d|\b\d{3}-\d{3}-\d{4}\b|\b0\d{3}[ /-]\d{3}[ -]?\d{4}\b|\b(?:tel|phone|whatsapp|text|call)\b(?: me| us)?(?: at| on)?[.: ]*\d[\d -]{5,}\d/g
/** What stands before a number that a shop gave to the piece. */
const label =
  /\b(?:sku|item(?: code)?|code|lot|los|stock|inv|inventory|order|listing|ean|upc|gtin|asin|serial|s\/n|sn|no|nr|nos?\.|n°|number|numbered|limited to|one of|\d+ of|ser|seriennummer|art|id|ident|lotto|amz)\b[.:#°_ -]{0,3}(?:no\.?|nr\.?|number|#)?[.:# -]{0,2}([a-z]{0,6}[-/]?\d[\w/-]*)|#\s?([a-z]?\d[\w/-]*)|(?<![\w./-])\d{1,5}\s?\/\s?\d{2,5}(?![\w.-])/g
const reference =
  /\bref(?:erence|erenz|erencia|\.)?[.:# ]*(?:no|nr|number)?[.:# ]*$|\bmodel[.:# ]*(?:no|nr)?[.:# ]*$/
const caliber =
  /\b(?:cal|caliber|calibre|kaliber|calibro|kal|movement|module|mvt|eta|sellita|valjoux|miyota|lemania|unitas|peseux|duw|heuer(?= 0\d)|bvl)\b[.: ]{0,2}([a-z]{0,4}[. -]?\d{1,5}(?!\d)[\w.-]*)/g
const caliberBehind = /\b([a-z]{0,4}\d{1,5}(?!\d)[\w.-]*) (?:caliber|calibre|kaliber|movement|mvt)\b/g
const karat =
  /(?<![\d.,$€£])\b(?:8|9|10|14|18|20|21|22|24) ?(?:k|kt|kts|ct|karat|carat|carats|karats|carati)\b|\b(?:750|585|950)(?:\/1?000| gold)\b|\bau ?750\b|\bpt ?950\b/g
const size =
  /\b(\d{2}(?:[.,]\d{1,2})?)(?: ?(?:x|×|by) ?(\d{2}(?:[.,]\d{1,2})?))? ?(?:mm|millimet(?:er|re)s?|millimetri)\b/g
const depth =
  /(?<![\w.,/-])(\d{1,2}[.,]\d{3}|\d{2,4}) ?(?:m|meters?|metres?|ft|feet|metri|wr)\b|\b(\d{1,3}) ?(bar|atm)\b/g
const measure =
  /\b\d{1,5} ?(?:pcs|pieces|stuck|exemplare|pezzi)\b|(?<![\w.,/-])\d{1,3}(?:[.,]\d+)?(?:[.,]?\d{3} ?(?:vph|bph|a\/h)\b| ?-?(?:h|hrs?|hours?|days?|tage|jours|giorni|day|hz|khz|vph|bph|jewels?|pcs|pieces|stuck|gr|grams?|cm|anniversary|sec|sekunden?|%)(?!\w)|(?:th|st|nd|rd|xs?)(?!\w))|(?<![\w.,/-])(?:\d{1,2}|1\d[05]) ?-?(?:yrs?|years?|jahre|ans|anni|months?|monate|links?|straps?|pc|th|st|nd|rd|xs?)(?!\w)|\bx\d{1,2}\b|[±+]\s?\d+s?\b|\b(?:1\/10{1,2})\b/g

const codes =
  'usdt?|eur|euros?|gbp|chf|jpy|hkd|aud|cad|sgd|aed|sek|nok|dkk|pln|czk|huf|cny|rmb|thb|inr|idr|php|myr|krw|twd|nzd|mxn|brl|zar|ils|sar|qar|kwd|sfr|fr\\.|bucks|dollars?|quid|pounds?'
const signs = 'us ?\\$|c\\$|ca\\$|au?\\$|hk\\$|s\\$|nz\\$|[$€£¥]'
const amount = "\\d{1,3}(?:[.,' ’]\\d{3})+(?:[.,]\\d{2})?(?!\\d)|\\d+(?:[.,]\\d{1,2})?(?!\\d)"
const signBefore = new RegExp(`(${signs}) ?(${amount})(?:,-+)? ?(k\\b)?`, 'g')
const codeBehind = new RegExp(
  `(?<![\\w.,/-])(${amount})(?:,[-–]+|\\.-+)? ?(k)? ?(?:(${codes})\\b|([$€£¥]))`,
  'g',
)
const codeBefore = new RegExp(`\\b(${codes}) ?(${amount}) ?(k\\b)?`, 'g')
const thousands = /(?<![\w.,/-])(\d{1,3}(?:[.,]\d{1,2})?) ?k\b/g
const offered =
  /(?<![\w.,/-])(\d{1,3}(?:[.,']\d{3})+|\d{3,6})(?= ?(?:shipped|obo|ono|firm|net\b|vb\b|or best|o\.b\.o|incl|cash|conus|fixed|,-|all in))|\b(?:asking|price|prix|preis|prezzo|precio|for only|only|take)[: ]+(\d{1,3}(?:[.,']\d{3})+|\d{3,6})\b/g
const ofSign = new Map(
  Object.entries({
    $: 'USD',
    us$: 'USD',
    c$: 'CAD',
    ca$: 'CAD',
    a$: 'AUD',
    au$: 'AUD',
    hk$: 'HKD',
    s$: 'SGD',
    nz$: 'NZD',
    '€': 'EUR',
    '£': 'GBP',
    '¥': 'JPY',
    usdt: 'USD',
    euro: 'EUR',
    euros: 'EUR',
    bucks: 'USD',
    dollar: 'USD',
    dollars: 'USD',
    quid: 'GBP',
    pound: 'GBP',
    pounds: 'GBP',
    sfr: 'CHF',
    'fr.': 'CHF',
    rmb: 'CNY',
  }),
)
const priceContextLength = 24
const askedToday =
  /\b(?:now|today|reduced(?: to)?|lowered to|dropped to|drop to|down to|sale price|jetzt|nur noch|reduziert auf|maintenant|ora|adesso|ahora)(?: (?:only|just|at|for|asking|to))?[: ]*$/
const askedOnce =
  /\b(?:was|were|from|originally|retail(?: price)?|msrp|rrp|uvp|list(?: price)?|listed(?: at| for)?|old price|paid|instead of|statt|war|vorher|avant|prima|antes|neupreis|np)[: ]*$/
const yearMin = 1900
const yearMax = 2030
/** Prices below are those of straps, or the number is none. */
const priceMin = 5
const priceMax = 100_000_000

/** Gives roles to all numbers that are no references. Returns the price; years are read after the references. */
export function readNumbers(text: TitleText): Price | undefined {
  markAll(text, phone, 'phone')
  markAll(text, karat, 'karat')
  const price = readPrice(text)
  markAll(text, size, 'size')
  markAll(text, depth, 'depth')
  markAll(text, measure, 'noise')
  markAll(text, caliber, 'caliber', 1)
  markAll(text, caliberBehind, 'caliber', 1)
  for (const { from, to } of datesIn(text)) if (isFree(text, from, to)) mark(text, from, to, 'year')
  for (const match of text.plain.matchAll(label)) {
    if (reference.test(text.plain.slice(0, match.index)) || reference.test(match[0].replace(/\S+$/, '')))
      continue
    const number = match[1] ?? match[2] ?? match[0]
    const from = match.index + match[0].lastIndexOf(number)
    mark(text, from, from + number.length, 'labelled')
  }
  return price
}

/** A month and a year: `05/21`, `11.2021`, `2021/11`. `10/10` is a condition, and `till 10/26` the end of a warranty. */
function* datesIn({ plain }: TitleText): Generator<{ year: number; from: number; to: number }> {
  for (const match of plain.matchAll(tradeDate)) {
    const year = yearOf(match[1] ?? (match[2] as string))
    if (year === undefined) continue
    yield { year, from: match.index, to: match.index + match[0].length }
  }
  for (const match of plain.matchAll(monthAndYear)) {
    const year = yearOf(match[1] ?? match[2] ?? (match[3] as string))
    if (year === undefined) continue
    if (notADate.test(plain.slice(Math.max(0, match.index - notADateLength), match.index))) continue
    yield { year, from: match.index, to: match.index + match[0].length }
  }
}

function yearOf(digits: string): number | undefined {
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits)
  return isPlausibleYear(year) && (digits.length > 2 || year <= shortYearMax) ? year : undefined
}

/** Whether the text says, as dealers do among themselves, that the watch is new and since when: `N6/24`. */
export function isNewSince({ plain }: TitleText): boolean {
  return newSince.test(plain)
}

/** Whether a word that announces a reference stands directly before the position. */
export function isAnnounced({ plain }: TitleText, from: number): boolean {
  return reference.test(plain.slice(Math.max(0, from - 24), from))
}

function markAll(
  text: TitleText,
  pattern: RegExp,
  role: 'phone' | 'karat' | 'size' | 'depth' | 'noise' | 'caliber',
  group = 0,
): void {
  for (const match of text.plain.matchAll(pattern)) {
    const part = match[group] ?? match[0]
    const from = match.index + match[0].indexOf(part)
    if (isFree(text, from, from + part.length)) mark(text, from, from + part.length, role)
  }
}

function readPrice(text: TitleText): Price | undefined {
  const { plain } = text
  let best: Price | undefined
  let bestRank = -1
  const take = (match: RegExpExecArray, number: string, isThousands: boolean, sign: string | undefined) => {
    const value = numberOf(number) * (isThousands ? 1_000 : 1)
    if (
      !(value >= priceMin && value <= priceMax) ||
      !isFree(text, match.index, match.index + match[0].length)
    )
      return
    mark(text, match.index, match.index + match[0].length, 'price')
    const key = sign?.replace(' ', '')
    const rank = rankOf(plain, match.index)
    if (rank <= bestRank) return
    bestRank = rank
    best = { value, currency: key === undefined ? null : (ofSign.get(key) ?? key.toUpperCase()) }
  }
  for (const match of plain.matchAll(signBefore))
    take(match, match[2] as string, match[3] !== undefined, match[1])
  for (const match of plain.matchAll(codeBehind)) {
    // `2020 CHF 5000`: the year stands before the code.
    const isYear =
      isPlausibleYear(Number(match[1])) && /^ ?\d/.test(plain.slice(match.index + match[0].length))
    if (!isYear) take(match, match[1] as string, match[2] !== undefined, match[3] ?? match[4])
  }
  for (const match of plain.matchAll(codeBefore))
    take(match, match[2] as string, match[3] !== undefined, match[1])
  for (const match of plain.matchAll(thousands)) take(match, match[1] as string, true, undefined)
  for (const match of plain.matchAll(offered)) {
    const number = (match[1] ?? match[2]) as string
    // `2020 VB 850 €`: the price is the other number.
    if (best === undefined || !isPlausibleYear(Number(number))) take(match, number, false, undefined)
  }
  return best
}

/** `Was $13,000, now $12,500`: what is asked today counts most, what was asked once, or by others, least. */
function rankOf(plain: string, from: number): number {
  const before = plain.slice(Math.max(0, from - priceContextLength), from)
  if (askedToday.test(before)) return 2
  return askedOnce.test(before) ? 0 : 1
}

/** A comma, point or space before three digits separates thousands. */
function numberOf(written: string): number {
  return Number(written.replace(/[.,' ’](?=\d{3}(?:\D|$))/g, '').replace(',', '.'))
}

export function isPlausibleYear(number: number): boolean {
  return number >= yearMin && number <= yearMax
}

const shortYear = /(?:^|[\s(,])['’`](\d{2})\b(?!['’])/
const yearContext =
  /(?<!\w|\b\w\.)(?:circa|ca|c|from|year|anno|annee|jahr|bj|baujahr|bought|purchased|dated|in|of|von|del|since|\d{1,2}[/.-]|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*[. ]*$/
const letterSerial = /\b[a-z] ?-?serial[: ]*$/
const notAYear = /^ ?(?:re-?edition|re-?creation|reissue|tribute|heritage|design|style|inspired|diver's|s\b)/

/** How dealers date a watch in their lists: `N6/24`, `N24` and `N2020` are new, `22y` is not. */
const tradeDate =
  /(?<![\w.,/-])n ?(?:(?:0?[1-9]|1[0-2])[/.-])?((?:20)?(?:1\d|2\d))(?![\w/]|[.,-]\d)|(?<![\w.,/-])((?:19|20)\d{2}|1\d|2\d)y(?!\w)/g
const newSince = /(?<![\w.,/-])n ?(?:(?:0?[1-9]|1[0-2])[/.-])?(?:20)?(?:1\d|2\d)(?![\w/]|[.,-]\d)/
const monthAndYear =
  /(?<![\w.,/-])(?:(?:0?[1-9]|1[0-2])[/.]((?:19|20)\d{2})|((?:19|20)\d{2})\/(?:0?[1-9]|1[0-2])|(?:0[1-9]|1[0-2])\/(\d[1-9]|2\d))(?![\w/]|[.,-]\d)/g
const shortYearMax = 2027
const notADateLength = 24
const notADate =
  /\b(?:till?|until|to|thru|through|bis|expir\w+|no|nr|number|limited|limited to|edition|of|ref|reference|model|size|lugs?|strap|straps|scale)[.:# ]*$/
const circa = /(?<!\w|\b\w\.)(?:circa|ca|c)[. ]*$/
const oldYearMin = 1700
/** Earlier ones are mostly names of models: `Rolex 1908`, `American 1921`. */
const yearAloneMin = 1930
/** What stands before the number of pieces of an edition. */
const count = /\b(?:edition of|limited to|one of|out of|\d of|\d{3}\/) ?$/

/** Reads the year from words without a role: one with a month or `circa` before it, else the last one. */
export function readYear(text: TitleText, isName: (word: string) => boolean): number | undefined {
  const { plain, words } = text
  for (const { year, from } of datesIn(text))
    if (words.some((word) => word.from === from && word.role === 'year')) return year
  let found: { year: number; rank: number; from: number; to: number } | undefined
  for (const { word, role, from, to } of words) {
    if (role !== undefined && role !== 'labelled') continue
    const [, digits = ''] = /^y?(\d{4})(?:er|s)?$/.exec(word) ?? []
    const year = Number(digits)
    const isOld = year >= oldYearMin && year < yearMin && circa.test(plain.slice(Math.max(0, from - 8), from))
    if (digits === '' || !(isOld || isPlausibleYear(year))) continue
    if (count.test(plain.slice(Math.max(0, from - 14), from))) continue
    // `Y serial 2003`: the letter is the serial number.
    const isDated =
      yearContext.test(plain.slice(Math.max(0, from - 12), from)) || letterSerial.test(plain.slice(0, from))
    if (role === 'labelled' && !isDated) continue
    if (year < yearAloneMin && !isDated && !isOld) continue
    const isOther = notAYear.test(plain.slice(to)) || isName(word) || word.endsWith('s')
    const rank = isOther ? 0 : isDated ? 2 : 1
    if (rank >= (found?.rank ?? 0)) found = { year, rank, from, to }
  }
  const short = shortYear.exec(plain)
  if (short !== null && (found === undefined || found.rank === 0)) {
    const two = Number(short[1])
    mark(text, short.index, short.index + short[0].length, 'year')
    return two <= yearMax - 2000 ? 2000 + two : yearMin + two
  }
  if (found === undefined || (found.rank === 0 && isName(String(found.year)))) return undefined
  if (found.rank > 0) mark(text, found.from, found.to, 'year')
  return found.rank > 0 ? found.year : undefined
}

/** Diameters in millimetres that the text names. */
export function sizesIn({ plain }: TitleText): number[] {
  return Array.from(plain.matchAll(size), (match) => Number((match[1] as string).replace(',', '.')))
}

/** Depths in metres. */
export function depthsIn({ plain }: TitleText): number[] {
  return Array.from(plain.matchAll(depth), (match) =>
    match[2] === undefined ? Number((match[1] as string).replace(/[.,]/, '')) : Number(match[2]) * 10,
  )
}
