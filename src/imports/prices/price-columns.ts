// Finds the role of each column in a file of prices. A long file has a row for each price and columns that name the
// watch; a wide file has a row for each day and a column for each watch, or a row for each watch and a column for each
// day.
import { Failure } from '../../errors.ts'
import type { RecordBatch } from '../../files/records.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import type { DecimalSign } from '../cells/money.ts'
import { isPrivateName } from '../mapping/refuse-columns.ts'
import { type ColumnRole, type PriceKind, roleOf } from './column-roles.ts'

export type { PriceKind }

/** A column of the file, and how it is read. */
export interface PriceColumn {
  readonly name: string
  readonly role: ColumnRole
  readonly decimal: DecimalSign | undefined
  /** The currency that a line above the header names, for prices without one. */
  readonly currency: string | undefined
}

export interface PriceLayout {
  /** What a row has: a price, the prices of all watches on a day, or the prices of a watch on all days. */
  readonly rows: 'prices' | 'days' | 'watches'
  /** Whether this service exported the file: its rows are complete, and an empty price means that there is none. */
  readonly isExport: boolean
  /** Whether a column of days, or several, come before those that somebody wrote down. */
  readonly hasOwnDays: boolean
  /** Whether a column has brands, and not only one that may be of auction houses. */
  readonly hasBrand: boolean
  /** The kinds of the prices whose columns have names that are listed. */
  readonly listed: ReadonlySet<PriceKind>
  /** Whether rows may say which kind their prices are: the names of the columns do not say it for both kinds. */
  readonly hasOpenKind: boolean
}

/** `2024`, `Q1 2024`, `2024 H2`. */
const partsOfYear = /^(?:(?:[qht][1-4][ -]?)?(?:19|20)\d\d|(?:19|20)\d\d[ -]?[qht][1-4])$/i

const noWatch =
  'prices but no column that says of which watch: name that column reference, with brand beside it, or id'
const nothing = { is: 'nothing' } as const
/** What a row for all watches says of its prices. */
const ofRows: ReadonlySet<ColumnRole['is']> = new Set(['date', 'currency', 'source', 'kind'])

const exportColumns = ['watch_id', 'date', 'retail_price_usd', 'current_market_price', 'source']

/** `batch`: the first records, and the lines above them. */
export function readLayout(
  file: string,
  names: readonly string[],
  as: PriceKind,
  batch: Partial<Pick<RecordBatch, 'records' | 'above'>> = {},
): PriceLayout {
  const isExport =
    names.length === exportColumns.length && exportColumns.every((name) => names.includes(name))
  const all = names.map((name) => roleOf(name, as))
  const isLong = all.some(({ is }) => is === 'watch_id' || is === 'reference' || is === 'id')
  const hasOwnDays = all.some((role) => role.is === 'day' || (role.is === 'date' && !role.isLast))
  const hasDate = all.some((role) => role.is === 'date' && !(role.isLast && hasOwnDays))
  const layout = {
    rows: hasDate ? (isLong ? 'prices' : 'days') : 'watches',
    hasOwnDays,
    hasBrand: all.some((role) => role.is === 'brand' && !role.isHouse),
    ...kindsOf(all),
  } as const
  const read = names.map((name) => readRole(name, layout, as))
  if (!hasDate) {
    if (!read.some(({ is }) => is === 'day')) throw noDays(file, names, hasTwoHeaders(names, as, batch))
    if (!isLong) throw new Failure(`${file} has ${noWatch}.`)
  } else if (isLong !== all.some((role) => role.is === 'price' && (isLong || !role.isByWords))) {
    const missing = isLong ? 'no column of prices: name it price, retail or market' : noWatch
    throw new Failure(`${file} has ${missing}.`)
  }
  refuseTwice(file, names, read)
  return { ...layout, isExport: isExport && isLong }
}

/** Whether columns under another line have the same names, or the first record has nothing but names of columns. */
function hasTwoHeaders(
  names: readonly string[],
  as: PriceKind,
  { records = [], above = [] }: Partial<Pick<RecordBatch, 'records' | 'above'>>,
): boolean {
  const isRepeated = names.some((name) => name.endsWith('_2') && names.includes(name.slice(0, -2)))
  const isName = (cell: unknown) => roleOf(cellText(cell), as).is !== 'nothing'
  const cells = records[0]?.cells.filter((cell) => !isNothing(cell)) ?? []
  return (isRepeated && above.length > 0) || (cells.length > 1 && cells.every(isName))
}

function noDays(file: string, names: readonly string[], areTwoLines: boolean): Failure {
  if (areTwoLines)
    return new Failure(
      `${file} has two header lines: make one of them, with names such as Retail 2024-01 and Market 2024-01.`,
    )
  const part = names.find((name) => partsOfYear.test(name.trim()))
  const year = /\d{4}/.exec(part ?? '')?.[0]
  if (part !== undefined)
    return new Failure(
      `${file} has columns such as ${part}, which is no day: name each by a day or a month, such as ${year}-01.`,
    )
  return new Failure(`${file} has no column of days: name it date, in the first row of the file.`)
}

function kindsOf(read: readonly ColumnRole[]): Pick<PriceLayout, 'listed' | 'hasOpenKind'> {
  const prices = read.filter((role) => role.is === 'price')
  const named = new Set(prices.flatMap(({ isPlain, kind }) => (isPlain ? [] : [kind])))
  const listed = new Set(prices.flatMap(({ isByWords, kind }) => (isByWords ? [] : [kind])))
  return { listed, hasOpenKind: named.size < 2 || prices.some(({ isPlain }) => isPlain) }
}

export function readRole(
  name: string,
  { rows, hasOwnDays, hasBrand, listed, hasOpenKind }: Omit<PriceLayout, 'isExport'>,
  as: PriceKind,
): ColumnRole {
  const role = roleOf(name, as)
  if (role.is === 'date' && role.isLast && hasOwnDays) return rows === 'days' ? { is: 'watch' } : nothing
  if (rows === 'days') return ofRows.has(role.is) ? role : { is: 'watch' }
  if (role.is === 'brand' && role.isHouse && hasBrand) return nothing
  if (rows === 'prices' && role.is === 'day') return nothing
  if (rows === 'prices' && role.is === 'kind' && !hasOpenKind) return nothing
  if (role.is !== 'price') return role
  // Beside columns of days, a column that is only called price has no day.
  return rows === 'watches' || (role.isByWords && listed.has(role.kind)) ? nothing : role
}

/** Whether the name is that of a column of prices, in any layout. */
/** A private name is known, so that it is not taken for a price by its last word: `Einkauf Preis`. */
export function isKnownColumn(name: string, as: PriceKind): boolean {
  return roleOf(name, as).is !== 'nothing' || isPrivateName(name)
}

/** Fails if two columns have the same role: which of them counts would be a guess. */
export function refuseTwice(file: string, names: readonly string[], read: readonly ColumnRole[]): void {
  const seen = new Map<string, string>()
  for (const [at, role] of read.entries()) {
    if (role.is === 'nothing' || role.is === 'day' || role.is === 'watch') continue
    const what = role.is === 'price' ? `${role.kind} price` : role.is
    const name = names[at] ?? ''
    const other = seen.get(what)
    if (other !== undefined) {
      throw new Failure(
        `${file} has two columns for the ${what}, ${other} and ${name}: rename or remove one.`,
      )
    }
    seen.set(what, name)
  }
}
