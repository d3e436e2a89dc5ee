// Suggests what each column of a file becomes, from its name and its first cells. If two columns have the same target
// and their cells agree, one is the fallback of the other. If they differ, the column with the more specific name gets
// the target, and the other becomes a spec of its own, so that no data is lost.
import { orderColumn } from '../../catalogue/export/export-spec-cells.ts'
import type { FileRecord } from '../../files/records.ts'
import { cellText } from '../cells/clean-text.ts'
import { specKeyCharsMax } from '../limits.ts'
import { type ColumnMapping, columnLabels, hasNeededFields, type Mapping, type Preset } from '../mapping.ts'
import {
  hasSpecKey,
  isPriceField,
  type NamedColumn,
  readColumnName,
  readSpecsName,
  specKeyOf,
} from './column-names.ts'
import { headingOf, repeatsHeading } from './echo-cells.ts'
import { wordsOf } from './header-words.ts'
import { decisionIn, findPreset, nameIn } from './presets.ts'
import { findPriceHistory } from './price-history.ts'
import { isInThousands, isPriceName, isSaleName, isValueName } from './price-names.ts'
import { isPrivateColumn } from './private-columns.ts'
import {
  agree,
  type ColumnSample,
  type ComparedColumn,
  countEqual,
  emptySample,
  isRising,
  sampleColumns,
} from './sample-columns.ts'
import {
  areAmounts,
  isConfirmedByCells,
  isMoney,
  isTruth,
  type Reading,
  suggestReading,
} from './suggest-reading.ts'

/** The decided part of a column's mapping. Undefined properties are suggested from its name and its cells. */
export interface GivenColumn extends Partial<Reading> {
  readonly to: string | null
  readonly isFallback?: true
}

/** Column number → what is decided. */
type GivenColumns = ReadonlyMap<number, GivenColumn>

const countingNames: ReadonlySet<string> = new Set(
  ['', 'index', 'idx', 'row', 'row number', 'row no', 'no', 'nr'].map((name) => name.replace(' ', '')),
)
/** Leaves space for an appended number. */
const suffixedCharsMax = 'specs.'.length + specKeyCharsMax - 6
/** Sizes of cases, which some files have under `Case`. */
const caseSize = /^ø? ?\d{2}(?:[.,]\d{1,2})? ?mm\b/i
/** Specs that are never a mere yes or no. */
const neverTruths: ReadonlySet<string> = new Set(
  `movement_type case_material dial_color crystal bracelet_material case_shape bezel case_back crown strap_closure
  numerals gender caliber functions`.split(/\s+/),
)
/** The least number and share of rows in which a column must repeat another to be taken for a copy of it. */
const repeatedRowsMin = 3
const repeatedShare = 0.8

/** Columns named in a note on prices. */
const pricesShown = 10

/** Added to a rank to sort the column behind all names of a target. */
const secondRank = 1_000
const unseenRank = 10_000

/** Suggests the mapping from names and cells, even if the file is an export. */
export function suggestForeign(
  columns: readonly string[],
  records: readonly FileRecord[],
  given: GivenColumns = new Map(),
): Mapping {
  const preset = findPreset(columns)
  const suggestion = new Suggestion(columns, records, given, preset)
  return {
    columns: suggestion.columns(),
    isExport: false,
    ...(preset === undefined ? {} : { preset }),
    ...(suggestion.notes.length === 0 ? {} : { notes: suggestion.notes }),
  }
}

class Suggestion {
  readonly notes: string[] = []
  readonly #names: NamedColumn[]
  readonly #labels: readonly string[]
  readonly #samples: readonly ColumnSample[]
  /** Target → the column that it was first given to. */
  readonly #owners = new Map<string, number>()
  readonly #decided: GivenColumn[] = []

  constructor(
    columns: readonly string[],
    records: readonly FileRecord[],
    given: GivenColumns,
    preset: Preset | undefined,
  ) {
    const isOwn = hasNeededFields(columns)
    this.#names = columns.map((column) => readNameIn(columns, isOwn, nameIn(preset, column)))
    this.#labels = columnLabels(columns)
    const samples = sampleColumns(columns.length, records)
    this.#samples = samples.map((sample, at) => withoutHeadings(sample, headingOf(columns[at] ?? '')))
    for (const [at, column] of given) this.#decide(at, column)
    for (const [at, column] of columns.entries()) {
      const decided = given.has(at) ? undefined : decisionIn(preset, column)
      if (decided !== undefined) this.#decide(at, decided)
    }
    const open = [...columns.keys()].filter((at) => this.#decided[at] === undefined)
    for (const at of open)
      if (samples[at]?.cells.length !== this.#sample(at).cells.length) this.#leaveOutHeading(at)
    this.#leaveHistory(open)
    this.#refuseCalibers(open)
    this.#refuseHeights(open)
    if (hasOwnNames(columns)) this.#decideIds(open)
    for (const at of open) {
      if (this.#decided[at] === undefined && this.#isCount(at)) this.#decide(at, { to: null })
    }
    this.#decideByNames(open)
    // A column without cells must not take the name of one that has some.
    const isUnseen = (at: number) => Number(this.#sample(at).cells.length === 0)
    for (const at of open.toSorted((one, other) => isUnseen(one) - isUnseen(other)))
      if (this.#decided[at] === undefined) this.#decideOwn(at)
  }

  columns(): ColumnMapping[] {
    return this.#labels.map((column, at) => {
      const { to, isFallback, ...given } = this.#decided[at] as GivenColumn
      if (to === null) return { column, to, as: 'text' }
      const reading = suggestReading(to, given, this.#name(at), this.#sample(at))
      return { column, to, ...reading, ...(isFallback ? { isFallback } : {}) }
    })
  }

  #name(at: number): NamedColumn {
    return this.#names[at] as NamedColumn
  }

  #sample(at: number): ColumnSample {
    return this.#samples[at] ?? emptySample
  }

  #decide(at: number, column: GivenColumn): void {
    this.#decided[at] = column
    if (column.to !== null && !column.isFallback && !this.#owners.has(column.to))
      this.#owners.set(column.to, at)
  }

  /** In a file with columns of an export, `id` identifies the watch. What is only for exports is left out. */
  #decideIds(open: readonly number[]): void {
    for (const at of open) {
      const { cells } = this.#sample(at)
      const isId = this.#labels[at] === 'id' && cells.every((cell) => /^[1-9]\d{0,15}$/.test(String(cell)))
      if (isId) this.#decide(at, { to: 'id' })
      if (this.#labels[at] === 'updated_at' || this.#labels[at] === orderColumn)
        this.#decide(at, { to: null })
    }
  }

  /** A price for each day is no spec. */
  #leaveHistory(open: readonly number[]): void {
    const history = findPriceHistory(this.#labels, this.#samples)
    if (history === undefined) return
    const columns = history.columns.filter((at) => open.includes(at))
    for (const at of columns) this.#decide(at, { to: null })
    if (columns.length > 0) this.notes.push(history.note)
  }

  /** A column of references that repeats the calibers of the movements is not the reference of the watch. */
  #refuseCalibers(open: readonly number[]): void {
    const calibers = open.filter((at) => this.#name(at).to === 'specs.caliber')
    for (const at of open.filter((one) => this.#name(one).to === 'reference_number')) {
      for (const caliber of calibers) {
        const { equal, both } = countEqual(this.#sample(at), this.#sample(caliber))
        if (both < repeatedRowsMin || equal < both * repeatedShare) continue
        this.#names[at] = { ...this.#name(at), to: undefined }
        this.notes.push(
          `The column ${this.#labels[at]} repeats ${this.#labels[caliber]} in ${equal} of ${both} rows, so it is not the reference number.`,
        )
        break
      }
    }
  }

  /** Leaves out a column that has nothing but its own name in its cells. */
  #leaveOutHeading(at: number): void {
    if (this.#sample(at).cells.length > 0) return
    this.#decide(at, { to: null })
    this.notes.push(`The column ${this.#labels[at]} only repeats its own name, and is left out.`)
  }

  /** The height of a case is its thickness only if no other column is. */
  #refuseHeights(open: readonly number[]): void {
    const named = open.filter(
      (at) => this.#name(at).to === 'specs.thickness' && this.#sample(at).cells.length > 0,
    )
    const heights = named.filter((at) => this.#name(at).isDoubtful)
    if (heights.length === named.length && !this.#owners.has('specs.thickness')) return
    for (const at of heights) this.#names[at] = { ...this.#name(at), to: undefined }
  }

  #isCount(at: number): boolean {
    const name = wordsOf(this.#labels[at] ?? '')
      .join('')
      .replace(/^(unnamed|column)\d+$/, '')
    if (name === 'id') return this.#sample(at).cells.length > 1 && isRising(this.#sample(at), 1)
    return countingNames.has(name) && isRising(this.#sample(at))
  }

  /** Gives targets to the most specific names first, and prefers columns that have cells and prices in dollars. */
  #decideByNames(open: readonly number[]): void {
    const known = open.filter((at) => this.#decided[at] === undefined && this.#target(at) !== undefined)
    const inDollars = new Set(
      known.filter((at) => this.#name(at).currency === 'USD').map((at) => this.#target(at)),
    )
    const rankOf = (at: number) => {
      const { rank, currency = 'USD' } = this.#name(at)
      const isSecond = currency !== 'USD' && inDollars.has(this.#target(at))
      const isUnseen = this.#sample(at).cells.length === 0
      return rank + (isSecond ? secondRank : 0) + (isUnseen ? unseenRank : 0)
    }
    for (const at of known.sort((one, other) => rankOf(one) - rankOf(other) || one - other)) {
      const to = this.#target(at) as string
      if (!this.#owners.has(to)) this.#decide(at, { to })
      else if (!this.#name(at).isLoose) this.#decideFallback(at, to)
    }
    this.#decideOtherPrices(open)
  }

  /** Takes the only column that is named like a price for the market price, if no other column is, and tells the others. */
  #decideOtherPrices(open: readonly number[]): void {
    const prices = open.filter((at) => this.#decided[at] === undefined && this.#isAnotherPrice(at))
    const [only] = prices
    if (only !== undefined && prices.length === 1 && !this.#owners.has('current_market_price')) {
      this.#decide(only, { to: 'current_market_price' })
      this.notes.push(`The column ${this.#labels[only]} is taken for the market price.`)
      return
    }
    const left = prices.filter((at) => !this.#decideFallback(at, 'current_market_price'))
    if (!this.#hasPrice()) this.#tellPrices(open)
    else if (left.length > 0) {
      this.notes.push(
        `${this.#listed(left)} ${left.length === 1 ? 'has prices, but becomes a spec' : 'have prices, but become specs'}: a mapping can make one the market or the retail price.`,
      )
    }
    const scaled = open.filter(
      (at) => isInThousands(this.#labels[at] ?? '') && isValueName(this.#name(at).key),
    )
    if (scaled.length > 0)
      this.notes.push(`${this.#listed(scaled)}: prices in thousands are not read. Write the amounts in full.`)
  }

  #listed(columns: readonly number[]): string {
    const more = columns.length > pricesShown ? ', …' : ''
    return `${columns
      .slice(0, pricesShown)
      .map((at) => this.#labels[at])
      .join(', ')}${more}`
  }

  /** If no column is a price, names those that may be one. */
  #tellPrices(open: readonly number[]): void {
    const likely = open.filter((at) => {
      const { key } = this.#name(at)
      return this.#decided[at] === undefined && isValueName(key) && areAmounts(this.#sample(at))
    })
    if (likely.length === 0) return
    this.notes.push(
      `No column is taken for a price. These look like prices: ${this.#listed(likely)}: name one in a mapping.`,
    )
  }

  /** The target that the name stands for, if the cells confirm it. */
  #target(at: number): string | undefined {
    const { to, isDoubtful } = this.#name(at)
    if (to === undefined) return undefined
    if (this.#sample(at).cells.length === 0) return isDoubtful ? undefined : to
    if (isPriceField(to) && isInThousands(this.#labels[at] ?? '')) return undefined
    if (to === 'specs.case_material' && this.#sample(at).cells.every((cell) => caseSize.test(cellText(cell))))
      return 'specs.case_diameter'
    // `Case` may say what the case is made of, or whether there is a box.
    if (neverTruths.has(specKeyOf(to) ?? '') && isTruth(this.#sample(at))) return undefined
    const isAsked = isDoubtful || isPriceField(to)
    return !isAsked || isConfirmedByCells(to, this.#sample(at), isDoubtful) ? to : undefined
  }

  #hasPrice(): boolean {
    return this.#owners.has('current_market_price') || this.#owners.has('retail_price_usd')
  }

  #isAnotherPrice(at: number): boolean {
    const { key } = this.#name(at)
    return isPriceName(key) && !isInThousands(this.#labels[at] ?? '') && isMoney(this.#sample(at))
  }

  #decideFallback(at: number, to: string): boolean {
    const owner = this.#owners.get(to)
    if (owner === undefined) return false
    if (!this.#isOtherWriting(to, owner, at) && !agree(to, this.#compared(owner), this.#compared(at)))
      return false
    this.#decide(at, { to, isFallback: true })
    return true
  }

  /** Whether a price is the same in another currency, or the usual one beside that of a sale. */
  #isOtherWriting(to: string, owner: number, at: number): boolean {
    if (!isPriceField(to) || this.#sample(at).cells.length === 0) return false
    const [first, second] = [this.#name(owner), this.#name(at)]
    const isConverted =
      first.currency !== undefined && second.currency !== undefined && first.currency !== second.currency
    return isConverted || (isSaleName(first.key) && isPriceName(second.key))
  }

  #compared(at: number): ComparedColumn {
    const currency = this.#decided[at]?.currency ?? this.#name(at).currency
    return { ...this.#sample(at), currency }
  }

  #decideOwn(at: number): void {
    if (isPrivateColumn(this.#name(at).key)) {
      this.#decide(at, { to: null })
      this.notes.push(
        `The column ${this.#labels[at]} looks private, and is left out: a mapping can make it a spec, which everybody sees.`,
      )
      return
    }
    const to = this.#ownTarget(at)
    if (!this.#owners.has(to)) this.#decide(at, { to })
    else if (!this.#decideFallback(at, to)) this.#decide(at, { to: this.#freeTarget(to) })
  }

  #ownTarget(at: number): string {
    const label = this.#labels[at] ?? ''
    if (label === 'specs' && this.#sample(at).cells.every(isDocument)) return 'specs'
    // A label that starts with `specs.` gives the key exactly.
    const written = specKeyOf(label)
    const { key } = this.#name(at)
    if (!hasSpecKey(label)) return placeOf(at)
    if (written === undefined) return key === '' ? placeOf(at) : `specs.${key}`
    return label
  }

  #freeTarget(to: string): string {
    const base = to
      .slice(0, suffixedCharsMax)
      .toWellFormed()
      .replace(/\ufffd$/u, '')
    let number = 2
    while (this.#owners.has(`${base}_${number}`)) number++
    return `${base}_${number}`
  }
}

/** The target of a column whose name gives no valid spec key. */
export function placeOf(at: number): string {
  return `specs.column_${at + 1}`
}

/** Whether the columns have names that only exports of this service use. */
function hasOwnNames(columns: readonly string[]): boolean {
  return (
    columns.includes('id') &&
    columns.some((column) => isPriceField(column) || column === 'specs' || specKeyOf(column) !== undefined)
  )
}

/** A key of `specs` is read as a name only if the catalogue did not write it, and no other column has that very key. */
function readNameIn(columns: readonly string[], isOwn: boolean, column: string): NamedColumn {
  if (isOwn || specKeyOf(column) === undefined) return readColumnName(column)
  const named = readSpecsName(column)
  return columns.includes(named.to ?? '') ? readColumnName(column) : named
}

function withoutHeadings(sample: ColumnSample, heading: string): ColumnSample {
  const isSaid = sample.cells.map((cell) => !repeatsHeading(cell, heading))
  if (!isSaid.includes(false)) return sample
  const said = <T>(list: readonly T[]) => list.filter((_, at) => isSaid[at])
  return { ...sample, cells: said(sample.cells), records: said(sample.records) }
}

function isDocument(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.trimStart().startsWith('{')
  return typeof cell === 'object' && !Array.isArray(cell)
}
