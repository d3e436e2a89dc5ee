// Finds the currency of a file's prices in the lines above its header, such as `Prices in EUR`, and refuses prices in
// crowns of a country that nothing names.
import { findNamedCurrency } from '../cells/currencies.ts'
import { type ColumnMapping, currencyTarget, type Mapping } from '../mapping.ts'
import { isPriceField, readColumnName } from './column-names.ts'
import { isInCrowns } from './scaled-names.ts'

export interface CurrencyLine {
  readonly line: string
  /** The ISO code. */
  readonly currency: string
}

const saysPrices =
  /pre[iz]s|price|prix|prezz|preci|preço|preco|prijs|\bpris(?:er)?\b|currency|währung|waehrung|devise|valuta|moneda|divisa|moeda|beträge|amounts?|montants?|importi|importes|価格|通貨|价|價|[単单單]位|货币|貨幣|[币幣][种別别]|가격|단위|통화/i
/** Chinese, Japanese and Korean are written without spaces. In ten thousands (`万元`) the amounts are no prices. */
const inHan =
  /(?<![万萬億亿千百])(?:人民[币幣]|[港日美欧歐韩韓][元币幣]|日[圆圓]|美金|英[镑鎊]|瑞士法郎|新?台[币幣]|円|(?<![单公])元(?!\p{L}))|(?<!\p{L})원(?!\p{L})/gu

/** Undefined if no line names a currency of prices, or if the lines name several. */
export function findCurrencyLine(lines: readonly string[]): CurrencyLine | undefined {
  const found = lines
    .filter((line) => saysPrices.test(line))
    .flatMap((line) =>
      [...line.split(/[\s:;,()[\]/=]+/), ...(line.normalize('NFKC').match(inHan) ?? [])]
        .map((word) => findNamedCurrency(word) ?? findNamedCurrency(word.replace(/\.$/, '')))
        .filter((currency) => currency !== undefined)
        .map((currency) => ({ line, currency })),
    )
  return new Set(found.map(({ currency }) => currency)).size === 1 ? found[0] : undefined
}

export function noteOf({ line, currency }: CurrencyLine): string {
  return `"${line}" at the beginning of the file names the currency: prices without one are in ${currency}.`
}

/**
 * Gives the currency to the columns of prices that name none. Without such a line, prices in crowns become specs, because
 * those of several countries are called so.
 */
export function withCurrencyLine(mapping: Mapping, lines: readonly string[]): Mapping {
  if (mapping.isExport) return mapping
  const targets = new Set(mapping.columns.map(({ to }) => to))
  // A column of currencies says it better, row by row.
  const isBare = ({ to, currency: own }: ColumnMapping) =>
    isPriceField(to ?? '') &&
    own === undefined &&
    !targets.has('currency') &&
    !targets.has(currencyTarget(to ?? ''))
  const bare = mapping.columns.filter(isBare)
  const named = findCurrencyLine(lines)
  if (named === undefined) {
    const inCrowns = bare.filter(({ column }) => isInCrowns(column))
    return changed(mapping, inCrowns, asSpec, noteOnCrowns(inCrowns))
  }
  return changed(mapping, bare, (column) => ({ ...column, currency: named.currency }), noteOf(named))
}

function changed(
  mapping: Mapping,
  columns: readonly ColumnMapping[],
  change: (column: ColumnMapping) => ColumnMapping,
  note: string,
): Mapping {
  if (columns.length === 0) return mapping
  const changedColumns = mapping.columns.map((column) => (columns.includes(column) ? change(column) : column))
  return { ...mapping, columns: changedColumns, notes: [...(mapping.notes ?? []), note] }
}

function asSpec({ column }: ColumnMapping): ColumnMapping {
  return { column, to: `specs.${readColumnName(column).key}`, as: 'any' }
}

function noteOnCrowns(columns: readonly ColumnMapping[]): string {
  const names = columns.map(({ column }) => column).join(', ')
  return `${names}: several countries have crowns, so no price is read: say which by --currency, such as --currency SEK.`
}
