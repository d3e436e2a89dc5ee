// Reads which kind of price a cell names, retail or market. Finds the column of such cells by the cells themselves if its
// name, such as `Type`, may mean anything.
import { cellText, shown } from '../cells/clean-text.ts'
import { unreadable } from '../cells/money.ts'
import { readColumnName } from '../mapping/column-names.ts'
import { snakeCase, wordsOf } from '../mapping/header-words.ts'
import { isPriceName, priceFieldOf } from '../mapping/price-names.ts'
import type { ColumnSample } from '../mapping/sample-columns.ts'
import { Refusal } from '../rejects.ts'
import { kindOf, type PriceKind } from './column-roles.ts'
import type { PriceCell } from './price-cells.ts'

/** Words that say a kind only where one is expected. All others are those of the names of price columns. */
const kindWords: Readonly<Record<PriceKind, ReadonlySet<string>>> = {
  retail: wordSet(
    'listenpreis, listino, liste, lista, neuware, 定価, 定価税込, 希望小売価格, メーカー希望小売価格, 参考定価',
  ),
  market: wordSet(
    `ask, sold, listed, listing, secondary, secondhand, hand, owned, auction, auctions, hammer, realised, realized,
    auktion, auktionspreis, zuschlag, zuschlagspreis, hammerpreis, gebraucht, gebrauchtpreis, verkauf, verkauft, angebot,
    vendu, occasion, enchere, encheres, marteau, venduto, usato, asta, vendido, usado, subasta, leilao, verkocht, gebruikt,
    veiling, 中古, 中古価格, 市場価格, 販売価格, 落札, 落札価格`,
  ),
}
/** `Not retail`, and `Like new`, which is a condition. */
const denials = wordSet('no, not, non, nicht, kein, like')
/** Names of columns, without spaces, that have kinds of prices only if their cells are such. */
const doubtfulNames = wordSet(
  `type, typ, art, tipo, soort, category, kategorie, categorie, metric, measure, variable, field, series, valuetype, saletype, datatype,
  pricecategory, pricebasis, wertart, 種別, 種類, 区分`,
)
/** In a column of a doubtful name, these may be the conditions of watches. */
const conditions = wordSet(
  'new, used, preowned, owned, neu, gebraucht, neuf, occasion, nuovo, usato, nuevo, usado',
)
/** Longer text is prose. */
const kindCharsMax = 100

/** Throws a Refusal if the cell names no kind. */
export function readKind({ line, column, cell }: PriceCell): PriceKind {
  const kind = findKind(cell)
  if (kind !== undefined) return kind
  const { reason } = unreadable(cell, 'that is neither retail nor market')
  throw new Refusal({ line, column: column.name, value: shown(cell), reason })
}

/** Whether a column of a name that may mean anything has the kinds of prices: at least half of its cells are kinds. */
export function isKindColumn(name: string, { cells }: ColumnSample): boolean {
  if (!doubtfulNames.has(wordsOf(name).join(''))) return false
  const found = cells.filter((cell) => findKind(cell) !== undefined)
  const isOther = (cell: unknown) => !wordsOf(cellText(cell)).some((word) => conditions.has(word))
  return found.length * 2 >= cells.length && found.some(isOther)
}

/**
 * Sorts the prices of a row, which names its kind. If the file has a column of prices whose name says no kind, the row
 * speaks of that one; else its kind must be that of the column. Throws a Refusal if the row contradicts itself.
 */
export function pricesOfKind(
  kind: PriceCell,
  prices: readonly PriceCell[],
  hasPlain: boolean,
): Partial<Record<PriceKind, PriceCell>> {
  const said = readKind(kind)
  const sorted: Partial<Record<PriceKind, PriceCell>> = {}
  for (const price of prices) {
    const { role } = price.column
    if (role.is !== 'price') continue
    const own = role.isPlain ? said : role.kind
    if (sorted[own] !== undefined || (!hasPlain && own !== said)) throw contradiction(kind, said, prices)
    sorted[own] = price
  }
  return sorted
}

function contradiction(
  { line, column, cell }: PriceCell,
  said: PriceKind,
  prices: readonly PriceCell[],
): Refusal {
  const named = prices.find((price) => price.column.role.is === 'price' && !price.column.role.isPlain)
  const reason = `says ${said}, which the column ${named?.column.name} contradicts`
  return new Refusal({ line, column: column.name, value: shown(cell), reason })
}

/** Undefined if the text names no kind or both, or another price of the watch, such as an estimate. */
function findKind(cell: unknown): PriceKind | undefined {
  const text = cellText(cell)
  if (text.length > kindCharsMax) return undefined
  const words = wordsOf(text)
  const others = words.filter((word) => listedKind(word) === undefined)
  if (words.some((word) => denials.has(word)) || !isPriceName(snakeCase([...others, 'price'])))
    return undefined
  const [kind, other] = new Set(words.map(kindOfWord).filter((one) => one !== undefined))
  // `Recommended selling price` has words of both.
  return other === undefined ? kind : kindOf(readColumnName(text).to)
}

function kindOfWord(word: string): PriceKind | undefined {
  return listedKind(word) ?? kindOf(priceFieldOf([word, 'price']))
}

function listedKind(word: string): PriceKind | undefined {
  return (['retail', 'market'] as const).find((kind) => kindWords[kind].has(word))
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/,\s+/))
}
