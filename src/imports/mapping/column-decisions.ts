// Holds what is known and decided about the columns of a file while its mapping is suggested: names, samples, and which
// column has which target.
import { cellText } from '../cells/clean-text.ts'
import { specKeyCharsMax } from '../limits.ts'
import { isPriceField, type NamedColumn, specKeyOf } from './column-names.ts'
import { agree, type ColumnSample, type ComparedColumn, emptySample } from './sample-columns.ts'
import { areNamedPrices, isConfirmedByCells, isTruth, type Reading } from './suggest-reading.ts'

/** The decided part of a column's mapping. Undefined properties are suggested from its name and its cells. */
export interface GivenColumn extends Partial<Reading> {
  readonly to: string | null
  readonly isFallback?: true
}

/** Leaves space for an appended number. */
const suffixedCharsMax = 'specs.'.length + specKeyCharsMax - 6
/** Sizes of cases, which some files have under `Case`. */
const caseSize = /^ø? ?\d{2}(?:[.,]\d{1,2})? ?mm\b/i
/** Specs that are never a mere yes or no. */
const neverTruths: ReadonlySet<string> = new Set(
  `movement_type case_material dial_color crystal bracelet_material case_shape bezel case_back crown strap_closure
  numerals gender caliber functions`.split(/\s+/),
)
/** How a movement is driven or wound, which some lists have under `Caliber`. */
const movementWord =
  /^(?:automat|self[- ]?wind|manual|manuel|hand|quart|quarz|cuarzo|solar|kinetic|mechani|remontage|carica|cuerda|自[動动]|手[巻动]|ク[ォオ]ーツ|石英)\D*$/i
const genderWord =
  /(?<!\p{L})(?:(?:wo)?m[ea]n|unisex|herren|damen|hommes?|femmes?|uomo|donna|hombres?|mujer|boys?|girls?|lad(?:y|ies)|gents?|m|f|w|u)(?!\p{L})|メンズ|レディース/iu
/** Columns named in a note. */
const columnsShown = 10

export class ColumnDecisions {
  readonly notes: string[] = []
  readonly labels: readonly string[]
  /** Whether the records are of this service, so that all their specs have the keys of a catalogue. */
  readonly isOwn: boolean
  /** Columns that neither a mapping nor a preset has decided. */
  open: readonly number[] = []
  readonly #names: NamedColumn[]
  readonly #samples: readonly ColumnSample[]
  /** Target → the column that it was first given to. */
  readonly #owners = new Map<string, number>()
  readonly #decided: GivenColumn[] = []

  constructor(
    labels: readonly string[],
    names: readonly NamedColumn[],
    samples: readonly ColumnSample[],
    isOwn: boolean,
  ) {
    this.labels = labels
    this.isOwn = isOwn
    this.#names = [...names]
    this.#samples = samples
  }

  label(at: number): string {
    return this.labels[at] ?? ''
  }

  name(at: number): NamedColumn {
    return this.#names[at] as NamedColumn
  }

  sample(at: number): ColumnSample {
    return this.#samples[at] ?? emptySample
  }

  hasCells(at: number): boolean {
    return this.sample(at).cells.length > 0
  }

  get samples(): readonly ColumnSample[] {
    return this.#samples
  }

  /** What is decided about a column. */
  decided(at: number): GivenColumn | undefined {
    return this.#decided[at]
  }

  /** The open columns that are not decided yet. */
  undecided(): number[] {
    return this.open.filter((at) => this.#decided[at] === undefined)
  }

  /** The column that a target was first given to. */
  owner(to: string): number | undefined {
    return this.#owners.get(to)
  }

  decide(at: number, column: GivenColumn): void {
    this.#decided[at] = column
    if (column.to !== null && !column.isFallback && !this.#owners.has(column.to))
      this.#owners.set(column.to, at)
  }

  /** Takes the column's name for one that says nothing. */
  forgetName(at: number): void {
    this.#names[at] = { ...this.name(at), to: undefined }
  }

  /** The target that the name stands for, if the cells confirm it. */
  target(at: number): string | undefined {
    const { to, isDoubtful, isScaled } = this.name(at)
    if (to === undefined || (isPriceField(to) && isScaled)) return undefined
    const sample = this.sample(at)
    if (sample.cells.length === 0) return isDoubtful ? undefined : to
    if (to === 'specs.case_material' && sample.cells.every((cell) => caseSize.test(cellText(cell))))
      return 'specs.case_diameter'
    if (to === 'specs.caliber' && isMostly(sample, movementWord))
      return this.#names.some((name) => name.to === 'specs.movement_type') ? to : 'specs.movement_type'
    if (this.name(at).key === 'circa' && !sample.cells.some((cell) => /\d{2}/.test(cellText(cell))))
      return undefined
    // `Sold` may be a day, a count or a price, and `Unsold` in other rows.
    if (isPriceField(to) && this.name(at).key === 'sold') {
      const cells = sample.cells.filter((cell) => /\d/.test(cellText(cell)))
      return areNamedPrices({ ...sample, cells }) ? to : undefined
    }
    // `Department` may be that of the shop.
    if (to === 'specs.gender' && this.name(at).key.endsWith('department') && !areGenders(sample))
      return undefined
    // `Case` may say what the case is made of, or whether there is a box.
    if (neverTruths.has(specKeyOf(to) ?? '') && isTruth(sample)) return undefined
    const isAsked = isDoubtful || isPriceField(to)
    return !isAsked || isConfirmedByCells(to, sample, isDoubtful) ? to : undefined
  }

  /** Whether the cells of both columns never contradict each other. */
  agree(to: string, one: number, other: number): boolean {
    return agree(to, this.#compared(one), this.#compared(other))
  }

  #compared(at: number): ComparedColumn {
    const currency = this.#decided[at]?.currency ?? this.name(at).currency
    return { ...this.sample(at), currency }
  }

  freeTarget(to: string): string {
    const base = to
      .slice(0, suffixedCharsMax)
      .toWellFormed()
      .replace(/\ufffd$/u, '')
    let number = 2
    while (this.#owners.has(`${base}_${number}`)) number++
    return `${base}_${number}`
  }

  /** The names of columns for a note. */
  listed(columns: readonly number[]): string {
    const shown = columns.slice(0, columnsShown).map((at) => this.label(at))
    return `${shown.join(', ')}${columns.length > shown.length ? ', …' : ''}`
  }
}

/** Whether at least half of the cells are genders. */
function areGenders({ cells }: ColumnSample): boolean {
  return cells.filter((cell) => genderWord.test(cellText(cell))).length * 2 >= cells.length
}

function isMostly({ cells }: ColumnSample, shape: RegExp): boolean {
  return cells.filter((cell) => shape.test(cellText(cell).trim())).length * 2 > cells.length
}
