// Finds what looks wrong in the specs of a catalogue: rare spellings close to a frequent one, quantities that cannot be
// parsed, keys of mixed types, and mistyped keys. These are guesses: an operator who knows the watches decides.
import { foldText } from '../../specs/fold.ts'
import { distanceBetween, findNearest } from '../../specs/near-texts.ts'
import { parseQuantity, unitOf } from '../../specs/quantities.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { byFrequency, type KeySurvey, type Occurrence, type Scalar, type SpecType } from './survey-specs.ts'

/** A value that few watches have. `near` is what is probably meant; undefined if that cannot be guessed. */
export interface OddValue extends Readonly<Occurrence> {
  readonly key: string
  readonly value: Scalar
  readonly near: { readonly value: Scalar; readonly watches: number } | undefined
}

export interface MixedTypes {
  readonly key: string
  /** The most frequent first. */
  readonly types: readonly (Occurrence & { readonly type: SpecType })[]
}

export interface OddKey {
  readonly key: string
  readonly ids: readonly number[]
  readonly near: { readonly key: string; readonly watches: number }
}

/** A spelling that at most this many watches have may be a typo… */
const loneMax = 2
/** …if at least this many watches have another spelling, and this many times as many. */
const frequentMin = 5
const frequentTimes = 5
/** The most frequent values, or keys, that a rare one is compared with. */
const comparedMax = 1_000
/** One letter may differ for each this many letters, up to the maximum. */
const lettersPerSlip = 4
const slipsMax = 2

/** Finds the rare spellings of one key. Skips quantities and numbers: `30 m` and `50 m` differ by one character. */
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

/** Finds the values of a key with a unit that cannot be parsed as a quantity, the most frequent first. */
export function findUnreadable({ key, values }: KeySurvey): OddValue[] {
  if (unitOf(key) === undefined) return []
  const sorted = byFrequency(values)
  const isReadable = (value: Scalar) => typeof value !== 'boolean' && parseQuantity(key, value) !== undefined
  const readable = new Map(
    sorted
      .filter(([value]) => typeof value === 'string' && isReadable(value))
      .slice(0, comparedMax)
      .map(([value, { watches }]) => [value as string, watches]),
  )
  return sorted
    .filter(([value]) => !isReadable(value))
    .map(([value, occurrence]) => ({
      key,
      value,
      ...occurrence,
      near: nearQuantity(String(value), readable),
    }))
}

function nearQuantity(value: string, readable: ReadonlyMap<string, number>): OddValue['near'] {
  const sameDigits = [...readable.keys()].filter((one) => digitsOf(one) === digitsOf(value))
  const nearest = digitsOf(value) === '' ? undefined : findNearest(value, sameDigits)
  return nearest === undefined ? undefined : { value: nearest, watches: readable.get(nearest) ?? 0 }
}

/** Texts and numbers do not count as mixed if the key has a unit: both can be quantities. */
export function findMixedTypes({ key, types }: KeySurvey): MixedTypes[] {
  const isQuantity = unitOf(key) !== undefined
  const kinds = new Set([...types.keys()].map((type) => (isQuantity && type === 'number' ? 'text' : type)))
  if (kinds.size < 2) return []
  return [{ key, types: byFrequency(types).map(([type, occurrence]) => ({ type, ...occurrence })) }]
}

/** Finds keys that only one watch has, and whose name is close to that of a frequent key. */
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
  /** The letters and digits, without case, white space and punctuation. */
  readonly letters: string
  readonly digits: string
}

function shapeOf(value: string): Shape {
  return { letters: lettersOf(value), digits: digitsOf(value) }
}

function lettersOf(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

/** In codes and quantities every digit counts. */
function digitsOf(text: string): string {
  return text.replace(/\D+/g, ' ').trim()
}

function isSlip(one: Shape, other: Shape): boolean {
  const max = Math.min(slipsMax, Math.floor(one.letters.length / lettersPerSlip))
  if (one.digits !== other.digits || Math.abs(one.letters.length - other.letters.length) > max) return false
  return max > 0 && distanceBetween(one.letters, other.letters) <= max
}
