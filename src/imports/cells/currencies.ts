// The tables of currency spellings, and their lookup: beside an amount, and in the name of a column.

/** The currencies that a spelling may mean. */
export interface CurrencyMark {
  readonly codes: readonly string[]
  /** The currency meant by default; undefined if the spelling has no default, as `kr`. */
  readonly usual: string | undefined
}

/** ISO code → its other unambiguous spellings, in lower case and without spaces. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  USD: ['us$', '$us', 'u$', 'u$s', 'usd$', 'u.s.$', 'usdollar', 'usdollars', '美元', '美金'],
  EUR: ['€', 'euro', 'euros', '欧元', '歐元'],
  GBP: ['gb£', 'pound', 'pounds', 'poundsterling', '英镑', '英鎊'],
  CHF: ['fr.', 'sfr', 'sfr.', 'chf.', 'franken', 'swissfrancs', '瑞士法郎'],
  JPY: ['jp¥', 'jpy¥', '円', 'yen', '日元', '日圆', '日圓'],
  CNY: ['cn¥', 'rmb', 'rmb¥', '人民币', '人民幣', 'yuan', 'renminbi'],
  HKD: ['hk$', 'hkd$', '港幣', '港币', '港元'],
  AUD: ['a$', 'au$', 'aud$'],
  CAD: ['c$', 'ca$', 'cad$', 'cdn$', 'can$'],
  SGD: ['s$', 'sg$', 'sgd$'],
  NZD: ['nz$', 'nzd$'],
  TWD: ['nt$', 'ntd', '台幣', '新台幣', '台币', '新台币'],
  MXN: ['mx$', 'mex$', 'mxn$'],
  BRL: ['r$', 'reais'],
  SEK: [],
  NOK: [],
  DKK: [],
  ISK: [],
  AED: ['د.إ'],
  CZK: ['kč', 'kc'],
  HUF: ['ft'],
  IDR: ['rp', 'rp.'],
  ILS: ['₪', 'nis'],
  INR: ['₹'],
  KRW: ['₩', '원', '韩元', '韓元', '韩币', '韓幣'],
  MYR: ['rm'],
  PHP: ['₱'],
  PLN: ['zł', 'zl'],
  RON: ['lei'],
  RUB: ['₽'],
  SAR: [],
  THB: ['฿', 'บาท', 'baht'],
  TRY: ['₺', 'tl'],
  UAH: ['₴', 'грн', 'грн.'],
  VND: ['₫', 'đ', 'vnđ'],
  ZAR: [],
}

/** Signs that several countries use: a column in pesos with `$5,000` is not in US dollars. */
const sharedSigns: Readonly<Record<string, CurrencyMark>> = {
  $: {
    codes: 'USD HKD AUD CAD SGD NZD TWD MXN ARS BND BRL CLP COP DOP FJD JMD TTD UYU'.split(' '),
    usual: 'USD',
  },
  '£': { codes: ['GBP', 'EGP', 'LBP'], usual: 'GBP' },
  dollar: { codes: ['USD', 'HKD', 'AUD', 'CAD', 'SGD', 'NZD'], usual: 'USD' },
  dollars: { codes: ['USD', 'HKD', 'AUD', 'CAD', 'SGD', 'NZD'], usual: 'USD' },
  '¥': { codes: ['JPY', 'CNY'], usual: 'JPY' },
  元: { codes: ['CNY', 'HKD', 'TWD'], usual: 'CNY' },
  kr: { codes: ['SEK', 'NOK', 'DKK', 'ISK'], usual: undefined },
  'kr.': { codes: ['SEK', 'NOK', 'DKK', 'ISK'], usual: undefined },
  dhs: { codes: ['AED', 'MAD'], usual: 'AED' },
  'dhs.': { codes: ['AED', 'MAD'], usual: 'AED' },
  '﷼': { codes: ['SAR', 'IRR', 'OMR', 'QAR', 'YER'], usual: 'SAR' },
  руб: { codes: ['RUB', 'BYN'], usual: 'RUB' },
  'руб.': { codes: ['RUB', 'BYN'], usual: 'RUB' },
  рублей: { codes: ['RUB', 'BYN'], usual: 'RUB' },
  rs: { codes: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'], usual: 'INR' },
  'rs.': { codes: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'], usual: 'INR' },
  rupees: { codes: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'], usual: 'INR' },
}

const knownMarks = new Map<string, CurrencyMark>(
  Object.entries(sharedSigns).map(([sign, mark]) => [sign.normalize('NFKC'), mark]),
)
for (const [code, others] of Object.entries(spellings)) {
  for (const spelling of [code.toLowerCase(), ...others])
    knownMarks.set(spelling.normalize('NFKC'), only(code))
}
const isoMarks = new Map(Intl.supportedValuesOf('currency').map((code) => [code.toLowerCase(), only(code)]))

/** Finds a spelling beside an amount, in lower case: `€`, `usd`, `us $`. */
export function findMark(raw: string): CurrencyMark | undefined {
  const spelling = raw.replaceAll(' ', '')
  return knownMarks.get(spelling) ?? isoMarks.get(spelling)
}

/** Finds a currency in a column's name. Only listed spellings match, because `all` and `top` are ISO codes, too. */
export function findNamedCurrency(word: string): string | undefined {
  return knownMarks.get(word.normalize('NFKC').toLowerCase().replaceAll(' ', ''))?.usual
}

/** Splits `126334 (EUR)` into the column's name and its currency. */
export function splitCurrency(name: string): { readonly name: string; readonly currency?: string } {
  const [, before = '', mark = ''] = /^(.*\S)\s*\(([^()]+)\)\s*$/.exec(name) ?? []
  const currency = findNamedCurrency(mark)
  return currency === undefined ? { name } : { name: before, currency }
}

/** Finds the currency that a cell names by its ISO code, or by a sign such as `€`. */
export function findCurrency(raw: string): string | undefined {
  const code = raw.toUpperCase()
  return isCurrencyCode(code) ? code : findMark(raw.normalize('NFKC').toLowerCase())?.usual
}

export function isCurrencyCode(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && (isoMarks.has(code.toLowerCase()) || knownMarks.has(code.toLowerCase()))
}

function only(code: string): CurrencyMark {
  return { codes: [code], usual: code }
}
