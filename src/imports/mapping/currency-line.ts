// Finds the currency of a file's prices in the lines above its header, such as `Prices in EUR`.
import { findNamedCurrency } from '../cells/currencies.ts'
import { type ColumnMapping, currencyTarget, type Mapping } from '../mapping.ts'
import { isPriceField } from './column-names.ts'

export interface CurrencyLine {
  readonly line: string
  /** The ISO code. */
  readonly currency: string
}

const saysPrices =
  /pre[iz]s|price|prix|prezz|preci|preço|preco|prijs|currency|währung|waehrung|devise|valuta|moneda|divisa|moeda|beträge|amounts?|montants?|importi|importes|価格|通貨/i

/** Undefined if no line names a currency of prices, or if the lines name several. */
export function findCurrencyLine(lines: readonly string[]): CurrencyLine | undefined {
  const found = lines
    .filter((line) => saysPrices.test(line))
    .flatMap((line) =>
      line
        .split(/[\s:;,()[\]/=]+/)
        .map((word) => findNamedCurrency(word) ?? findNamedCurrency(word.replace(/\.$/, '')))
        .filter((currency) => currency !== undefined)
        .map((currency) => ({ line, currency })),
    )
  return new Set(found.map(({ currency }) => currency)).size === 1 ? found[0] : undefined
}

export function noteOf({ line, currency }: CurrencyLine): string {
  return `The line "${line}" above the header names the currency: prices without one are in ${currency}.`
}

/** Gives the currency to the columns of prices that name none. */
export function withCurrencyLine(mapping: Mapping, lines: readonly string[]): Mapping {
  const named = mapping.isExport ? undefined : findCurrencyLine(lines)
  if (named === undefined) return mapping
  const { currency } = named
  const targets = new Set(mapping.columns.map(({ to }) => to))
  // A column of currencies says it better, row by row.
  const isBare = ({ to, currency: own }: ColumnMapping) =>
    isPriceField(to ?? '') &&
    own === undefined &&
    !targets.has('currency') &&
    !targets.has(currencyTarget(to ?? ''))
  if (!mapping.columns.some(isBare)) return mapping
  const columns = mapping.columns.map((column) => (isBare(column) ? { ...column, currency } : column))
  return { ...mapping, columns, notes: [...(mapping.notes ?? []), noteOf(named)] }
}
