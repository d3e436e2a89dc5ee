// Reads single spec values in the families that titles are read in. Values repeat from watch to watch, so each is read
// once and kept for a while.
import { foldWords, plainText } from '../../specs/fold.ts'
import { familiesIn } from './families.ts'
import {
  colorFamilies,
  functionPatterns,
  metalPatterns,
  movementPatterns,
  strapPatterns,
} from './title-words.ts'

/** Values that are kept: most catalogues have fewer. */
const keptMax = 20_000
/** Longer values are prose, and seldom the same. */
const keptLengthMax = 80
const valueLengthMax = 2_000

const kept = new Map<string, SpecValue>()

export function readValue(written: string): SpecValue {
  const known = kept.get(written)
  if (known !== undefined) return known
  const value = new SpecValue(written.slice(0, valueLengthMax))
  if (written.length > keptLengthMax) return value
  if (kept.size === keptMax) kept.clear()
  kept.set(written, value)
  return value
}

export class SpecValue {
  readonly plain: string
  #list: readonly string[] | undefined
  #words: ReadonlySet<string> | undefined
  #colors: readonly string[] | undefined
  #metals: readonly string[] | undefined
  #straps: readonly string[] | undefined
  #functions: readonly string[] | undefined
  #movements: readonly string[] | undefined
  #numbers: readonly number[] | undefined

  constructor(written: string) {
    this.plain = plainText(written)
  }

  /** Its words in order. */
  get list(): readonly string[] {
    this.#list ??= foldWords(this.plain)
    return this.#list
  }

  get words(): ReadonlySet<string> {
    this.#words ??= new Set(this.list)
    return this.#words
  }

  get colors(): readonly string[] {
    this.#colors ??= colorsIn(this.plain, this.words)
    return this.#colors
  }

  get metals(): readonly string[] {
    this.#metals ??= familiesIn(metalPatterns, this.plain)
    return this.#metals
  }

  /** `Oystersteel (Jubilee)` is a bracelet of metal. */
  get straps(): readonly string[] {
    this.#straps ??= familiesIn(
      strapPatterns,
      metalFirst.test(this.plain) ? `on bracelet ${this.plain}` : this.plain,
    )
    return this.#straps
  }

  get functions(): readonly string[] {
    this.#functions ??= familiesIn(functionPatterns, this.plain)
    return this.#functions
  }

  get movements(): readonly string[] {
    this.#movements ??= familiesIn(movementPatterns, this.plain)
    return this.#movements
  }

  /** In millimetres, if it is a length. */
  get lengths(): readonly number[] {
    this.#numbers ??= lengthsIn(this.plain)
    return this.#numbers
  }
}

const metalFirst = /^[\w ]*(?:steel|gold|titanium|platinum|bronze)/

function colorsIn(plain: string, words: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  for (const word of words) {
    const family = colorFamilies.get(word)
    if (family !== undefined) found.add(family)
  }
  if (/mother[- ]of[- ]pearl/.test(plain)) found.add('pearl')
  if (/\bgold\b/.test(plain)) found.add('gold')
  return [...found]
}

function lengthsIn(plain: string): number[] {
  const scale = /\d ?cm\b/.test(plain) ? 10 : 1
  return Array.from(
    plain.matchAll(/\d+(?:[.,]\d+)?/g),
    ([number]) => Number(number.replace(',', '.')) * scale,
  )
}
