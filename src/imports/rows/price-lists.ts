// Chooses the price of a watch from a list of prices or offers, such as one for each currency. If several prices differ
// and nothing says which one counts, the cell says so, and is reported as a price that cannot be read.
import { cellText, isNothing } from '../cells/clean-text.ts'
import { snakeCase, wordsOf } from '../mapping/header-words.ts'
import { isValueName } from '../mapping/price-names.ts'
import { currencyOf, readMeasure, roleOf, withCurrency } from './measures.ts'
import { isObject, type Members } from './named-cells.ts'

interface ListedPrice {
  readonly text: string
  readonly code: string | undefined
  /** Whether it is a price that the watch is not sold for. */
  readonly isList: boolean
}

const pricesMax = 1_000
const offers = /(?:^|\.)(?:offers?|prices|pricing|price_?specification)$/i
const listPrice = /(?:List|Strikethrough|SRP|MSRP|RRP|Invoice|Regular)(?:Price)?$/i
const typeNames = ['type', 'kind', 'priceType', 'price_type', 'name', 'label'] as const
/** Types that say which price it is. */
const priceTypes = /^(?:retail|market|msrp|rrp|srp|uvp|list|asking)(?:[ _-]?price)?$/i

/** Whether the last name of a path is that of prices. */
export function isPriceHolder(path: string): boolean {
  const leaf = path.slice(path.lastIndexOf('.') + 1)
  return offers.test(leaf) || isValueName(snakeCase(wordsOf(leaf)))
}

/** Undefined if the list has something else than prices. */
export function choosePrice(list: readonly unknown[]): string | undefined {
  if (list.length > pricesMax) return undefined
  const prices = list.filter((one) => one !== null).map(listedPrice)
  if (prices.length === 0 || !prices.every((price) => price !== undefined)) return undefined
  const sold = prices.filter(({ isList }) => !isList)
  const asked = sold.length > 0 ? sold : prices
  const code = asked.some((price) => price.code === 'USD') ? 'USD' : asked[0]?.code
  const texts = asked.filter((price) => price.code === code).map(({ text }) => text)
  return joinedPrices(texts)
}

/** Prices of different types: `[{"type": "retail", …}, {"type": "market", …}]`. Undefined if two share a type, or one has none. */
export function typedPrices(list: readonly Members[]): readonly { type: string; text: string }[] | undefined {
  const prices = list.map((one) => {
    const type = typeNames.map((name) => one[name]).find((said) => typeof said === 'string') ?? ''
    return { type, text: listedPrice(one)?.text ?? '' }
  })
  const isWhole = prices.every(({ type, text }) => priceTypes.test(type) && text !== '')
  return isWhole && new Set(prices.map(({ type }) => type)).size === list.length ? prices : undefined
}

/** Several prices are joined to a text that no price can be read from. */
export function joinedPrices(texts: readonly string[]): string {
  return [...new Set(texts)].join(' / ')
}

function listedPrice(one: unknown): ListedPrice | undefined {
  if (!isObject(one)) return undefined
  const { price, value, priceType = '' } = one
  const isList = listPrice.test(String(priceType))
  const measure = [one, price, value].map((part) => (isObject(part) ? readMeasure(part) : undefined))
  const money = measure.find((found) => found?.isMoney && found.text !== null)
  if (money?.text) return { text: money.text, code: /[A-Z]{3}$/.exec(money.text)?.[0], isList }
  if (isNothing(price) || typeof price === 'object') return undefined
  const code = codeIn(one)
  return { text: withCurrency(cellText(price).trim(), code), code, isList }
}

function codeIn(object: Members): string | undefined {
  const key = Object.keys(object).find((one) => roleOf(one) === 'currency')
  return key === undefined ? undefined : currencyOf(object[key])
}
