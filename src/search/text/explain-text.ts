// Tells how the text of `q` was read, for `explain` and for the header about words that no watch has.
import { findNearest } from '../../specs/near-texts.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { parameterNames } from '../query/operators.ts'
import type { Filter } from '../query/watch-query.ts'
import type { FoundText } from './find-text.ts'
import type { MeaningSets } from './meaning-sets.ts'
import type { Meaning } from './meanings.ts'
import type { Bound } from './measures.ts'
import type { Part } from './parts.ts'

/** What a part of the text was read as. */
export const textKinds = [
  ...(['word', 'completed', 'typo', 'split', 'nickname', 'value', 'filter', 'price'] as const),
  ...(['base', 'optional', 'dropped'] as const),
] as const
export type TextKind = (typeof textKinds)[number] | 'brand' | 'reference' | 'synonym'

export interface PartReading {
  readonly written: string
  readonly read_as: string
  readonly kind: TextKind
}

export interface UnknownWord {
  readonly word: string
  readonly suggestion: string | undefined
}

/** Words that are named for one that was mistyped. */
const shownMax = 3
const signs: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

export function explainText(index: WatchIndex, { reading, sets }: FoundText): PartReading[] {
  const { parts, extras, dropped } = reading
  const kept = parts.map((part) => ({ from: part.from, ...readingOf(index, part, sets) }))
  const unread = (kind: TextKind) => (part: Part) => ({
    from: part.from,
    written: part.written,
    read_as: '',
    kind,
  })
  return [...kept, ...extras.map(unread('optional')), ...dropped.map(unread('dropped'))]
    .sort((one, other) => one.from - other.from)
    .map(({ written, read_as, kind }) => ({ written, read_as, kind }))
}

/** The words that no watch has, each with the one that it was read as, or that may be meant. */
export function unknownWords(index: WatchIndex, { reading, sets }: FoundText): UnknownWord[] {
  const corrected = reading.parts
    .filter((part) => part.corrected !== undefined)
    .map((part) => ({ from: part.from, word: part.written, suggestion: part.corrected?.[0] }))
  const unknown = reading.dropped
    .filter((part) => sets.ofPart(part).count === 0)
    .map((part) => ({ from: part.from, word: part.written, suggestion: nearestWord(index, part.written) }))
  // `116610LN`, where only `116610LV` is known.
  const otherVariants = reading.parts
    .filter(({ meanings }) => meanings.some(isOtherVariant))
    .map(({ from, written }) => ({ from, word: written, suggestion: undefined }))
  return [...corrected, ...otherVariants, ...unknown]
    .sort((one, other) => one.from - other.from)
    .map(({ word, suggestion }) => ({ word, suggestion }))
}

/** A word with more mistakes than a search forgives. */
function nearestWord(index: WatchIndex, word: string): string | undefined {
  const max = Math.floor(word.length / 3)
  if (max === 0 || !/\p{L}/u.test(word)) return undefined
  return findNearest(
    word,
    index.dictionary.similarWords(word, max, false).map((one) => one.word),
  )
}

function readingOf(index: WatchIndex, part: Part, sets: MeaningSets): PartReading {
  const { written, meanings } = part
  // Of several, the one by which most watches are found.
  const meant = meanings
    .filter((meaning) => sets.ofMeaning(meaning).count > 0)
    .sort((one, other) => sets.ofMeaning(other).count - sets.ofMeaning(one).count)[0]
  if (meant === undefined) return { written, read_as: written, kind: 'word' }
  return { written, read_as: shownAs(index, meant, written), kind: kindOf(meant) }
}

function kindOf(meaning: Meaning): TextKind {
  if (isOtherVariant(meaning)) return 'base'
  return meaning.kind === 'word' && meaning.words.length === 0 ? 'completed' : meaning.kind
}

function isOtherVariant(meaning: Meaning): boolean {
  return meaning.kind === 'reference' && meaning.isOtherVariant === true
}

function shownAs(index: WatchIndex, meaning: Meaning, written: string): string {
  switch (meaning.kind) {
    case 'word':
      return meaning.prefix === undefined ? anyOf(meaning.words) : `${meaning.prefix}…`
    case 'typo':
      return anyOf(meaning.words)
    case 'split':
      return meaning.words.join(' ')
    case 'brand':
      return anyOf(meaning.ids.map((id) => index.brands.find(id)?.name ?? ''))
    case 'reference':
      return meaning.isPrefix ? `${meaning.folded}…` : meaning.folded
    case 'nickname':
      return meaning.nicknames
        .map(({ brand, targets }) => `${brand} ${targets.map((target) => target.written).join(', ')}`)
        .join(' or ')
    case 'value':
    case 'synonym':
      return meaning.shown
    case 'filter':
      return meaning.filters.map(writeFilter).join('&')
    case 'price':
      return `current_market_price${writeBounds(meaning.bounds)}, or retail_price_usd where there is none`
    default:
      return written
  }
}

function anyOf(texts: readonly string[]): string {
  const shown = texts.slice(0, shownMax).join(' or ')
  return texts.length > shownMax ? `${shown} or others` : shown
}

function writeFilter(filter: Filter): string {
  const { nested } = parameterNames(filter)
  return filter.values.map((value) => `${nested}=${value}`).join('&')
}

function writeBounds(bounds: readonly Bound[]): string {
  return bounds.map(({ operator, value }) => ` ${signs[operator] ?? '='} ${value}`).join(' and')
}
