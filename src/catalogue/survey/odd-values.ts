// In charge of what looks wrong in the specs of a catalogue: spellings that stand alone beside a frequent one, quantities
// that do not read as such, keys of mixed types, keys that are mistyped. It guesses; whoever knows the watches decides.
import { foldText } from '../../specs/fold.ts'
import { distanceBetween, findNearest } from '../../specs/near-texts.ts'
import { parseQuantity, unitOf } from '../../specs/quantities.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { KeySurvey, Occurrence, Scalar, SpecType } from './survey-specs.ts'

/** A value of a key that few watches have, and what is probably meant; undefined where that cannot be guessed. */
export interface OddValue {
  readonly key: string
  readonly value: Scalar
  readonly watches: number
  readonly ids: readonly number[]
  readonly near: { readonly value: Scalar; readonly watches: number } | undefined
}

export interface MixedTypes {
  readonly key: string
  /** The most frequent first. */
  readonly types: readonly {
    readonly type: SpecType
    readonly watches: number
    readonly ids: readonly number[]
  }[]
}

export interface OddKey {
  readonly key: string
  readonly ids: readonly number[]
  readonly near: { readonly key: string; readonly watches: number }
}

/** A spelling of so few watches may be a slip… */
const loneMax = 2
/** …where another one has so many, and so many times as many. */
const frequentMin = 5
const frequentTimes = 5
/** Frequent values, and keys, with which a lone one is compared. */
const comparedMax = 1_000
/** For each so many letters one may differ. */
const lettersPerSlip = 4
const slipsMax = 2

/** Those of one key. Quantities and numbers are no spellings: `30 m` and `50 m` differ by one character. */
export function findLoneSpellings(survey: KeySurvey, vocabulary: Vocabulary): OddValue[] {
  const words = [...survey.values].flatMap(([value, occurrence]) =>
    typeof value === 'string' && isWording(survey.key, value) ? [{ value, ...occurrence }] : [],
  )
  const frequent = words
    .filter(({ watches }) => watches >= frequentMin)
    .sort((one, other) => other.watches - one.watches)
    .slice(0, comparedMax)
    .map((one) => ({ ...one, shape: shapeOf(one.value) }))
  if (frequent.length === 0) return []
  const meaning = (value: string) => vocabulary.read(survey.key, value).term
  return words
    .filter(({ watches }) => watches <= loneMax)
    .flatMap(({ value, watches, ids }) => {
      const shape = shapeOf(value)
      const near = frequent.find(
        (other) =>
          other.watches >= watches * frequentTimes &&
          (other.shape.letters === shape.letters ||
            (isSlip(shape, other.shape) && meaning(value) !== meaning(other.value))),
      )
      return near === undefined
        ? []
        : [{ key: survey.key, value, watches, ids, near: { value: near.value, watches: near.watches } }]
    })
}

/** Values of a key with a unit that cannot be compared as a quantity, the most frequent first. */
export function findUnreadable({ key, values }: KeySurvey): OddValue[] {
  if (unitOf(key) === undefined) return []
  const sorted = [...values].sort(([, one], [, other]) => other.watches - one.watches)
  const isReadable = (value: Scalar) => typeof value !== 'boolean' && parseQuantity(key, value) !== undefined
  const readable = new Map(
    sorted
      .filter(([value]) => typeof value === 'string' && isReadable(value))
      .slice(0, comparedMax)
      .map(([value, { watches }]) => [value as string, watches]),
  )
  return sorted
    .filter(([value]) => !isReadable(value))
    .map(([value, { watches, ids }]) => {
      const near = nearQuantity(String(value), readable)
      return { key, value, watches, ids, near }
    })
}

function nearQuantity(value: string, readable: ReadonlyMap<string, number>): OddValue['near'] {
  const sameDigits = [...readable.keys()].filter((one) => digitsOf(one) === digitsOf(value))
  const nearest = digitsOf(value) === '' ? undefined : findNearest(value, sameDigits)
  return nearest === undefined ? undefined : { value: nearest, watches: readable.get(nearest) ?? 0 }
}

/** Text and number are no mixture where both read as a quantity. */
export function findMixedTypes({ key, types }: KeySurvey): MixedTypes[] {
  const isQuantity = unitOf(key) !== undefined
  const kinds = new Set([...types.keys()].map((type) => (isQuantity && type === 'number' ? 'text' : type)))
  if (kinds.size < 2) return []
  const sorted = [...types]
    .sort(([, one], [, other]) => other.watches - one.watches)
    .map(([type, { watches, ids }]) => ({ type, watches, ids }))
  return [{ key, types: sorted }]
}

/** Keys that one watch has and that are nearly called as a frequent one. */
export function findOddKeys(keys: readonly KeySurvey[]): OddKey[] {
  const frequent = new Map(
    keys
      .filter(({ occurrence }) => occurrence.watches >= frequentMin)
      .slice(0, comparedMax)
      .map(({ key, occurrence }) => [key, occurrence]),
  )
  const byLetters = new Map([...frequent.keys()].reverse().map((key) => [lettersOf(key), key]))
  return keys
    .filter(({ occurrence }) => occurrence.watches === 1)
    .flatMap(({ key, occurrence }) => {
      const near = byLetters.get(lettersOf(key)) ?? findNearest(key, frequent.keys())
      if (near === undefined) return []
      const { watches } = frequent.get(near) as Occurrence
      return [{ key, ids: occurrence.ids, near: { key: near, watches } }]
    })
}

function isWording(key: string, value: string): boolean {
  return /\p{L}/u.test(value) && parseQuantity(key, value) === undefined
}

interface Shape {
  /** Without case, space and punctuation. */
  readonly letters: string
  readonly digits: string
}

function shapeOf(value: string): Shape {
  return { letters: lettersOf(value), digits: digitsOf(value) }
}

function lettersOf(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

/** Of codes and quantities every digit counts. */
function digitsOf(text: string): string {
  return text.replace(/\D+/g, ' ').trim()
}

function isSlip(one: Shape, other: Shape): boolean {
  const max = Math.min(slipsMax, Math.floor(one.letters.length / lettersPerSlip))
  if (one.digits !== other.digits || Math.abs(one.letters.length - other.letters.length) > max) return false
  return max > 0 && distanceBetween(one.letters, other.letters) <= max
}
