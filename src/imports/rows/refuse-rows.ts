// Recognises rows of printed lists that are no watches: repeated headers, totals, headings of sections and remarks.
import type { FileRecord } from '../../files/records.ts'
import { cachedByText } from '../cells/cells.ts'
import { isNothing } from '../cells/clean-text.ts'
import { findMark, findNamedCurrency, isCurrencyCode } from '../cells/currencies.ts'
import { readColumnName } from '../mapping/column-names.ts'
import { wordsOf } from '../mapping/header-words.ts'

const repeatedNames = 'The row repeats the names of the columns.'
const isTotal = 'The row is a total, not a watch.'
/** Also the reason of a heading. */
export const isRemark = 'The row is a heading or a remark, not a watch.'

/** One cell that is equal to its column's name may be a coincidence. */
const namesMin = 2
/** In a file of fewer columns, a row with a single cell may be a watch. */
const columnsMin = 3
/** A reference has fewer words. */
const proseWordsMin = 4
const totalWordsMax = 5
/** Cells of a row that only has remarks. */
const remarkCellsMax = 2
const hasWord = /\p{L}{3}|\p{Script=Han}{2}/u

/** `Total`, `Zwischensumme`, `Sous-total` as `sous` and `total`. */
const totalWord =
  /^(?:(?:sub|grand|zwischen|gesamt|end|teil)?(?:totals?|total[ei]s?|totaal|totaux|summen?)|gesamt(?:wert|betrag|preis|anzahl)?|sum|somme|suma|soma|razem|итого|всего)$/
const totalInHan = /(?:合計|小計|总计|總計|合计)$/u
const count =
  /^(?:counts?|anzahl|aantal|nombre|number|qty|quantity|menge|cantidad|quantite|quantita|stuck|pieces|pcs|items|件数|台数|本数)$|^(?:count|anzahl|aantal|number of|nombre d?e?|cantidad de)(?: \p{L}+){1,2}$/u
/** `14`, `$14,000`, `2 pièces`: beside the word for a total, no other cell says more. */
const amount = /^([\p{Sc}\p{L}.]{0,8})(\s?)[-–]?\d[\d.,'’\s]*?[-–]?(\s?)([\p{Sc}\p{L}.%]{0,15})$/u
/** What totals count, without accents. */
const counted =
  /^(?:%|pieces?|pcs?|items?|units?|watch(?:es)?|stucke?|stk|st|uhr(?:en)?|artikel|montres?|articles?|pezz[io]|orolog(?:io|i)|piezas?|relojes|reloj|pecas?|relogios?|stuks?|horloges?|zegark[io]w?|szt|шт|本|点|個|台)$/u
/** `Page 1 of 3`, `Pag. 1 di 3`, `Seite 1/3`. */
const pageLine =
  /^(?:(?:page|seite|p[aá]g(?:\.|ina)?|p\.|strona|str\.|sida|side|стр(?:\.|аница)?) ?\d{1,4}(?: ?(?:\/|of|von|de|di|sur|van|af|av|z|из) ?\d{1,4})?|第 ?\d{1,4} ?[页頁].{0,12}|\d{1,4} ?ページ)$/iu
/** `2/3`, `- 2 -`: a reference may look like this. */
const pageNumber = /^(?:\d{1,3} ?\/ ?\d{1,3}|[\p{Pd}] ?\d{1,4} ?[\p{Pd}])$/u
const remark =
  /^(?:all |alle |tous (?:les|nos) |unsere |our )?(?:prices|preise|prix|prezzi|precios|precos|prijzen|amounts) (?:\S+ )*(?:vat|tax|taxes|mwst|mw st|iva|tva|btw|ht|ttc|subject|change|valid|exclu\p{L}*|inclu\p{L}*|excl|incl|inkl|zzgl|freibleibend)(?: |$)|^e (?:and |& )?o e$|^errors (?:and )?omissions/u

/** What the first text of a row says. Cached, because most rows begin with one of a few brands. */
const sayingOf = cachedByText((text): 'total' | 'remark' | 'prose' | 'heading' | 'other' => {
  const words = wordsOf(text)
  const whole = words.join(' ')
  const ends = [words.at(0) ?? '', words.at(-1) ?? '']
  const isSum = ends.some((word) => totalWord.test(word) || totalInHan.test(word)) || count.test(whole)
  if (isSum && words.length <= totalWordsMax) return 'total'
  if (remark.test(whole)) return 'remark'
  if (words.length >= proseWordsMin) return 'prose'
  return /\d/.test(text) ? 'other' : 'heading'
})

/** Cached, because most rows have one of a few brands. */
const isBrandName = cachedByText((text) => readColumnName(text).to === 'brand')

/** Undefined if the row may be a watch. */
export function findRowFault(record: FileRecord, columns: readonly string[]): string | undefined {
  const repeated = findRepeatedNames(record, columns)
  if (repeated !== undefined) return repeated
  // A plain loop: this runs for every row of a file.
  let filled = 0
  let text: string | undefined
  let mayBePage = false
  for (const cell of record.cells) {
    if (isNothing(cell)) continue
    filled++
    if (filled <= remarkCellsMax) mayBePage ||= isPage(cell)
    if (typeof cell === 'string' && (text === undefined || !hasWord.test(text))) text = cell
    if (filled > 1 && text !== undefined && hasWord.test(text)) break
  }
  if (mayBePage && isPageRow(record, columns)) return isRemark
  if (text === undefined) return undefined
  const saying = sayingOf(text)
  if (saying === 'total') return hasOnlyAmountsBeside(record, text) ? isTotal : undefined
  if (saying === 'remark') return countFilled(record) <= remarkCellsMax ? isRemark : undefined
  // A currency may be all that a line of units below the names says.
  const isAlone = filled === 1 && columns.length >= columnsMin && !isCurrencyCode(text)
  return isAlone && saying !== 'other' ? isRemark : undefined
}

/** The text of a row that has nothing else, and says of what the rows below are. */
export function findHeading({ cells }: FileRecord, columns: readonly string[]): string | undefined {
  const filled = cells.filter((cell) => !isNothing(cell))
  const [only] = filled
  if (typeof only !== 'string' || filled.length > 1 || columns.length < columnsMin) return undefined
  return /\p{L}/u.test(only) && sayingOf(only) === 'heading' ? only : undefined
}

function hasOnlyAmountsBeside({ cells }: FileRecord, text: string): boolean {
  return cells.every((cell) => {
    if (isNothing(cell) || cell === text || typeof cell === 'number') return true
    return typeof cell === 'string' && isAmount(cell.trim())
  })
}

function isAmount(cell: string): boolean {
  const [found, before = '', spaceBefore, spaceBehind, behind = ''] = amount.exec(cell) ?? []
  if (found === undefined) return false
  return (
    isCurrency(before, spaceBefore === '') && (isCounted(behind) || isCurrency(behind, spaceBehind === ''))
  )
}

function isCounted(word: string): boolean {
  return counted.test(word === '%' ? word : wordsOf(word).join(''))
}

/** References join letters and digits too: `R45` is no amount in rands. */
function isCurrency(mark: string, isJoined: boolean): boolean {
  if (mark === '' || /^\p{Sc}$/u.test(mark)) return true
  if (isJoined && /^\p{L}{1,2}$/u.test(mark)) return false
  return findNamedCurrency(mark) !== undefined || (!isJoined && findMark(mark.toLowerCase()) !== undefined)
}

function isPage(cell: unknown): boolean {
  return typeof cell === 'string' && (pageLine.test(cell.trim()) || pageNumber.test(cell.trim()))
}

/** Whether the row has a page number, and at most one other text. */
function isPageRow(record: FileRecord, columns: readonly string[]): boolean {
  const filled = countFilled(record)
  if (columns.length < columnsMin || filled > remarkCellsMax) return false
  const { references } = namingPlaces(columns)
  return record.cells.every((cell, at) => {
    if (isNothing(cell)) return true
    const mayBeReference = filled > 1 && references.includes(record.columns[at] ?? -1)
    return typeof cell === 'string' && !(mayBeReference && pageNumber.test(cell.trim()))
  })
}

function countFilled({ cells }: FileRecord): number {
  return cells.filter((cell) => !isNothing(cell)).length
}

/** Printed lists repeat the names of the columns on every page. Templates have a second row of names below the header. */
export function findRepeatedNames(record: FileRecord, columns: readonly string[]): string | undefined {
  return repeatsNames(record, columns) || hasOtherNames(record, columns) ? repeatedNames : undefined
}

function repeatsNames({ columns: places, cells }: FileRecord, columns: readonly string[]): boolean {
  let named = 0
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] === '') continue
    if (cells[at] !== columns[places[at] ?? -1]) return false
    named++
  }
  return named >= namesMin
}

/** Whether the cells of brand and reference are names of these columns: `brand_name` below `Brand`. */
function hasOtherNames(record: FileRecord, columns: readonly string[]): boolean {
  const text = (place: number) => {
    const cell = record.cells[record.columns.indexOf(place)]
    return typeof cell === 'string' ? cell : ''
  }
  const { brands, references } = namingPlaces(columns)
  // Brands come first: references are all different, so reading each as a name would take long.
  if (!brands.some((place) => isBrandName(text(place)))) return false
  return references.some((place) => readColumnName(text(place)).to === 'reference_number')
}

interface NamingPlaces {
  readonly columns: number
  readonly brands: readonly number[]
  readonly references: readonly number[]
}

const knownPlaces = new WeakMap<readonly string[], NamingPlaces>()

/** The places of the columns that are named as a brand or a reference. Any record of a JSON file may add columns. */
export function namingPlaces(columns: readonly string[]): NamingPlaces {
  const known = knownPlaces.get(columns)
  if (known?.columns === columns.length) return known
  const targets = columns.map((column) => readColumnName(column).to)
  const placesOf = (to: string) => targets.flatMap((target, at) => (target === to ? [at] : []))
  const places = {
    columns: columns.length,
    brands: placesOf('brand'),
    references: placesOf('reference_number'),
  }
  knownPlaces.set(columns, places)
  return places
}
