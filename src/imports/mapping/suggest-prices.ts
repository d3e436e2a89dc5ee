// Decides which columns are prices beyond those that the name table knows, which of several counts, and what the
// operator is told about the others.
import { cellText } from '../cells/clean-text.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import type { ColumnDecisions } from './column-decisions.ts'
import { isPriceField, specKeyOf } from './column-names.ts'
import { snakeCase } from './header-words.ts'
import { isInRowCurrency } from './price-currencies.ts'
import {
  bareName,
  findPriceYear,
  hasMoneyWord,
  isEstimateName,
  isOtherAmount,
  isPriceName,
  isRetailName,
  isSaleName,
  isValueName,
} from './price-names.ts'
import { isPrivate } from './refuse-columns.ts'
import type { ColumnSample } from './sample-columns.ts'
import { areAmounts, areNamedPrices, isMoney } from './suggest-reading.ts'

const amountWithCents = /^\s*[1-9](?:\d{2,8}|\d{0,2}(?:[.,'’\s]\d{3}){1,2})[.,]\d\d\s*$/

/** Names the columns that were taken for prices by the words of their names alone. */
export function tellTaken(columns: ColumnDecisions): void {
  for (const at of columns.open) {
    const { to, isFallback } = columns.decided(at) ?? {}
    if (!columns.name(at).isByWords || typeof to !== 'string' || !isPriceField(to)) continue
    const price = to === 'retail_price_usd' ? 'retail price' : 'market price'
    const where = isFallback ? ' where the others are empty' : ''
    columns.notes.push(`The column ${columns.label(at)} is taken for the ${price}${where}.`)
  }
}

/** Takes the only column that is named like a price for the market price, if no other column is. */
export function decideOtherPrices(columns: ColumnDecisions): void {
  const named = columns.undecided().filter((at) => isAnotherPrice(columns, at))
  const prices = named.length > 0 ? named : columns.undecided().filter((at) => isCurrencyOnly(columns, at))
  const [only] = prices
  if (only !== undefined && prices.length === 1 && columns.owner('current_market_price') === undefined) {
    const currency = isCurrencyOnly(columns, only) ? findNamedCurrency(columns.label(only)) : undefined
    columns.decide(only, { to: 'current_market_price', ...(currency === undefined ? {} : { currency }) })
    columns.notes.push(`The column ${columns.label(only)} is taken for the market price.`)
    return
  }
  for (const at of prices) decideFallback(columns, at, 'current_market_price')
}

/** Makes the column fill in where the owner of its target is empty. Returns false if it is about something else. */
export function decideFallback(columns: ColumnDecisions, at: number, to: string): boolean {
  const owner = columns.owner(to)
  if (owner === undefined || isOfAnotherYear(columns, to, owner, at)) return false
  if (isOfAnotherRegion(columns, to, owner, at)) return false
  if (!isSecondPrice(columns, to, owner, at) && !columns.agree(to, owner, at)) return false
  columns.decide(at, { to, isFallback: true })
  return true
}

/** Names the columns that look like prices and became specs, once all columns are decided. */
export function tellPrices(columns: ColumnDecisions): void {
  const scaled = columns.open.filter((at) => {
    const { key, isScaled } = columns.name(at)
    return isScaled && hasMoneyWord(key) && isAmountSpec(columns, at)
  })
  const valued = columns.open.filter((at) => {
    const { to, key } = columns.name(at)
    if (specKeyOf(to ?? '') !== undefined) return false
    const bare = snakeCase(bareName(columns.label(at)).words)
    if (isValueName(key) || isValueName(bare) || (to !== undefined && isPriceField(to))) return true
    // `What is it worth today?`
    if (columns.label(at).trim().endsWith('?') && hasMoneyWord(key)) return true
    const isCurrency = findNamedCurrency(columns.label(at)) !== undefined
    if (!hasPrice(columns) && hasCents(columns.sample(at)) && !isOtherAmount(key)) return true
    return isCurrency || (areNamedPrices(columns.sample(at)) && !isOtherAmount(key))
  })
  const likely = valued.filter((at) => isAmountSpec(columns, at) && !columns.name(at).isScaled)
  // With the currency of the row, an amount is no mere number.
  const isTold = columns.owner('currency') !== undefined
  for (const at of likely)
    if (isTold && isInRowCurrency(columns.label(at), columns.labels))
      columns.decide(at, { to: null, as: 'any', ...columns.decided(at) })
  // An estimate is the last thing to take for a price.
  const isEstimate = (at: number) => Number(isEstimateName(columns.name(at).key))
  const sorted = likely.toSorted((one, other) => isEstimate(one) - isEstimate(other))
  tellLikely(columns, sorted, valued)
  if (scaled.length > 0) {
    columns.notes.push(
      `${columns.listed(scaled)}: prices in cents, thousands or another multiple are not read: write the amounts in full.`,
    )
  }
}

function tellLikely(columns: ColumnDecisions, likely: readonly number[], valued: readonly number[]): void {
  if (hasPrice(columns)) {
    if (likely.length > 0)
      columns.notes.push(
        `These look like prices, but become specs: ${columns.listed(likely)}: a mapping can make one the market or the retail price.`,
      )
    return
  }
  const hidden = valued.filter((at) => columns.decided(at)?.to === null && isPrivate(columns, at))
  const looks = [
    ...(likely.length > 0
      ? [`These look like prices: ${columns.listed(likely)}: name one in a mapping.`]
      : []),
    ...(hidden.length > 0
      ? [`Left out as private: ${columns.listed(hidden)}: a mapping can take one for the market price.`]
      : []),
  ]
  if (looks.length > 0) columns.notes.push(['No column is taken for a price.', ...looks].join(' '))
}

function hasPrice(columns: ColumnDecisions): boolean {
  return ['current_market_price', 'retail_price_usd'].some((to) => columns.owner(to) !== undefined)
}

/** Whether most cells are amounts of 100 and more with two decimals, as prices are written: `5890,00`. */
function hasCents({ cells }: ColumnSample): boolean {
  return (
    cells.filter((cell) => typeof cell === 'string' && amountWithCents.test(cell)).length * 2 > cells.length
  )
}

function isAmountSpec(columns: ColumnDecisions, at: number): boolean {
  const isSpec = columns.decided(at)?.to?.startsWith('specs.') === true
  return isSpec && areAmounts(columns.sample(at)) && !areFlags(columns, at)
}

function isAnotherPrice(columns: ColumnDecisions, at: number): boolean {
  const { to, key, isScaled } = columns.name(at)
  // An earlier retail price is no market price.
  if (to === 'retail_price_usd') return false
  const isNamed = isPriceName(key) && !isRetailName(key) && !isScaled
  return isNamed && isMoney(columns.sample(at)) && !areFlags(columns, at)
}

/** `CHF` is the name of a column of prices if its cells are amounts. `Ft` and `RM` may be feet and a family of watches. */
function isCurrencyOnly(columns: ColumnDecisions, at: number): boolean {
  const label = columns.label(at)
  const isCurrency = /^[A-Z]{3}$|\p{Sc}/u.test(label) && findNamedCurrency(label) !== undefined
  return isCurrency && isMoney(columns.sample(at))
}

/** A price of an earlier year is not that of today. */
function isOfAnotherYear(columns: ColumnDecisions, to: string, owner: number, at: number): boolean {
  const year = findPriceYear(columns.name(at).key)
  return isPriceField(to) && year !== undefined && year !== findPriceYear(columns.name(owner).key)
}

/** A retail price of one country is not that of another, unless it is the same one in another currency. */
function isOfAnotherRegion(columns: ColumnDecisions, to: string, owner: number, at: number): boolean {
  const isOther = columns.name(at).region !== columns.name(owner).region
  return isPriceField(to) && isOther && !isInOtherCurrency(columns, owner, at)
}

/** `price_visible` has 0 and 1. */
function areFlags(columns: ColumnDecisions, at: number): boolean {
  const texts = columns.sample(at).cells.map((cell) => cellText(cell).trim())
  return texts.every((text) => text === '0' || text === '1') && (texts.length > 1 || texts[0] === '0')
}

/** Whether a price is another one of its kind: by its name, in another currency, or the usual one beside that of a sale. */
function isSecondPrice(columns: ColumnDecisions, to: string, owner: number, at: number): boolean {
  if (!isPriceField(to) || !columns.hasCells(at)) return false
  const [first, second] = [columns.name(owner), columns.name(at)]
  // If the operator has chosen the first one, the mapping would name the second one as well.
  const isNamed = columns.open.includes(owner) && columns.target(at) === to
  return (
    isNamed || isInOtherCurrency(columns, owner, at) || (isSaleName(first.key) && isPriceName(second.key))
  )
}

function isInOtherCurrency(columns: ColumnDecisions, owner: number, at: number): boolean {
  const [first, second] = [columns.name(owner).currency, columns.name(at).currency]
  return first !== undefined && second !== undefined && first !== second
}
