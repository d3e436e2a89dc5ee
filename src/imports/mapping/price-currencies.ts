// Finds the columns that name the currency of one price by the name of its column, such as `Market Value Currency`
// beside `Market Value`.

import { cellText } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { currencyTarget } from '../mapping.ts'
import type { ColumnDecisions } from './column-decisions.ts'
import { isPriceField, readColumnName } from './column-names.ts'
import { wordsOf } from './header-words.ts'
import { bareName, isValueName, withoutArticles } from './price-names.ts'

const currencyWord =
  '(?:iso)?(?:currency(?:code|iso|symbol)?|curr|ccy|w(?:a|ae)hrung|devise|valuta|moneda|divisa|moeda|waluta|валюта|通貨(?:コード)?|货币|貨幣|币种|幣別|통화)'
const currencyName = new RegExp(`^${currencyWord}|${currencyWord}$`, 'u')

/**
 * Gives columns the currency of their price. Other columns of the same price may be in another currency: they become
 * specs, because a row has only one currency for each price.
 */
export function decideCurrencies(columns: ColumnDecisions): void {
  const named = columns.undecided().filter((at) => currencyName.test(joined(columns.label(at))))
  const unfit = named.filter((at) => {
    const price = columns.labels.findIndex((label) => namesCurrencyOf(columns.label(at), label))
    const found = price < 0 && isSecondCurrency(columns, at) ? at - 1 : price
    if (found >= 0) giveCurrency(columns, at, found)
    return found < 0 && isUnused(columns, at)
  })
  if (unfit.length > 0)
    columns.notes.push(
      `${columns.listed(unfit)}: no price has that name, so the currency is kept as a spec: a mapping can make it that of a price.`,
    )
}

/** Whether the column is only called `Currency`, as an earlier one, and stands directly behind a price. */
function isSecondCurrency(columns: ColumnDecisions, at: number): boolean {
  const { to } = columns.decided(at - 1) ?? {}
  const isBare = joined(columns.label(at)).replace(currencyName, '') === ''
  return isBare && columns.owner('currency') !== undefined && isPriceField(to ?? '')
}

function giveCurrency(columns: ColumnDecisions, at: number, price: number): void {
  const { to, isFallback } = columns.decided(price) ?? {}
  if (typeof to !== 'string' || !isPriceField(to)) return
  const isFirst = !isFallback && columns.owner(currencyTarget(to)) === undefined
  if (isFirst) columns.decide(at, { to: currencyTarget(to) })
  const isBare = (other: number) =>
    columns.decided(other)?.to === to && columns.name(other).currency === undefined
  const others = isFirst ? columns.open.filter((other) => other !== price && isBare(other)) : [price]
  for (const other of others.filter((one) => columns.decided(one)?.isFallback === true))
    columns.decide(other, { to: `specs.${columns.name(other).key}` })
}

/** Whether the amounts of a column, by its name, are in the currency that their row names. */
export function isInRowCurrency(column: string, columns: readonly string[]): boolean {
  const isOwn =
    bareName(column).currency !== undefined || columns.some((other) => namesCurrencyOf(other, column))
  return !isOwn && isValueName(readColumnName(column).key)
}

/** Whether a column is called as another one, with a word for a currency. */
function namesCurrencyOf(column: string, other: string): boolean {
  const whole = joined(column)
  const name = whole.replace(currencyName, '')
  return (
    name !== '' && name !== whole && [joined(other), withoutArticles(bareName(other).words)].includes(name)
  )
}

/** Whether the cells are currencies, which some price lacks. */
function isUnused(columns: ColumnDecisions, at: number): boolean {
  const { cells } = columns.sample(at)
  if (cells.length === 0 || !cells.every((cell) => findCurrency(cellText(cell).trim()) !== undefined))
    return false
  if (joined(columns.label(at)).replace(currencyName, '') === '') return true
  const isBare = (to: string) => {
    const owner = columns.owner(to)
    const lacks = owner !== undefined && columns.name(owner).currency === undefined
    return lacks && columns.owner(currencyTarget(to)) === undefined
  }
  return columns.owner('currency') === undefined && ['retail_price_usd', 'current_market_price'].some(isBare)
}

/** Without the number of a name that another column has, too: `Currency_2`. */
function joined(name: string): string {
  return withoutArticles(wordsOf(name)).replace(/(?<=\D)\d{1,2}$/, '')
}
