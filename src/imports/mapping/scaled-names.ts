// Recognises names of columns whose amounts cannot be read as prices: in cents, thousands or another multiple, or in
// crowns of a country that the name does not say.
import { wordsOf } from './header-words.ts'

const minorWords =
  'cents?|pence|penny|pennies|minor|minors|subunits?|micros?|millicents?|centimes?|rappen|centesimi|centavos?|centimos?|kopeks?|kopecks?|paise|копейк[аи]|копеек'
const multipleWords =
  'hundreds?|hunderte?|thousands?|tsd|tausend|tys|lakhs?|lacs?|crores?|millions?|billions?|mio|mln|milliers|migliaia|miles|millones|milhares|mila|тыс|тис'
const scaleWord = new RegExp(`^(?:${minorWords}|${multipleWords}|x10+)$`, 'u')
const signs = '[€$£¥₹]|eur|usd|chf|gbp|jpy|inr|aed|hkd|sgd|aud|cad'
/** `Price (k€)`, `Price (k USD)`, `Price (USD k)`, `Preis in TEUR`, `Price in $1000`, `Price (USD'000)`, `Price x 100`. */
const scaledSigns = new RegExp(
  `(?:^|[\\s(_/])(?:[ktm] ?(?:${signs})|(?:${signs}) ?[km]|k(?=\\)?$)|(?:${signs})? ?['’]?(?:1[.,' ]?)?000s?|[x×*] ?10+)(?=[\\s)_.,]|$)|¢|\\(p\\)`,
  'iu',
)
/** `販売価格（万円）`: ten thousands of yen. */
const scaledInHan = /[千万萬億亿](?:円|元|ドル|ユーロ|日元|$|\))/u
/** `公价（万）`, `定価（万円）`, `官方价(万元)`, at the end of a name. */
const inTenThousands = /[(（][万萬]([円元]?)[)）]$/u

const crowns = /[([]?(?<!\p{L})(?:in? )?(?:kr|kronor|kroner)(?!\p{L})\.?[)\]]?/iu

/** Whether the amounts are in cents, thousands or another multiple. */
export function isScaledName(name: string): boolean {
  const plain = name.normalize('NFKC')
  return (
    scaledSigns.test(plain) || scaledInHan.test(plain) || wordsOf(plain).some((word) => scaleWord.test(word))
  )
}

/** The name of a column whose cells all say themselves that they are in ten thousands (`8万`), without what it says of that. */
export function withoutTenThousands(name: string, cells: readonly unknown[]): string {
  const isSaid =
    cells.length > 0 && cells.every((cell) => typeof cell === 'string' && /\d ?[万萬]/u.test(cell))
  return isSaid ? name.replace(inTenThousands, (_, unit) => (unit === '' ? '' : `(${unit})`)) : name
}

/** Whether the name says that the amounts are in ten thousands. */
export function isInTenThousands(name: string): boolean {
  return inTenThousands.test(name)
}

/** Whether the amounts are in the crowns of a country that the name does not say. */
export function isInCrowns(name: string): boolean {
  return crowns.test(name)
}

export function withoutCrowns(name: string): string {
  return name.replace(crowns, ' ').trim()
}
