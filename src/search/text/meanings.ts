// Finds what a group of neighbouring words in the text of `q` can mean: words as they stand, a brand, a nickname, a
// reference, a synonym, a size or price. What a group means does not depend on the other words.
import { foldLetters, foldReference, foldText, foldWords, plainText } from '../../specs/fold.ts'
import type { Nickname } from '../../specs/nicknames.ts'
import { mistakesIn, type SimilarWord } from '../dictionary/similar-words.ts'
import {
  collectionKind,
  keyOf,
  keyOfValue,
  specTerm,
  valueKind,
  wordTerm,
  writtenText,
} from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter } from '../query/watch-query.ts'
import { type KeyWords, keyWordsOf } from './key-words.ts'
import { isEveryKey, type Lookups, lookupsOf, type Synonym } from './lookups.ts'
import { type Bound, type Measure, measuresIn } from './measures.ts'
import { type Token, tokensOf } from './tokens.ts'

export type Meaning =
  /** Any of the words as they stand, or a word that begins with `prefix`. */
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly prefix: string | undefined }
  /** Words that the typed one may stand for. */
  | { readonly kind: 'typo'; readonly words: readonly string[] }
  /** One word, written as two in these terms. */
  | { readonly kind: 'split'; readonly words: readonly string[]; readonly terms: readonly number[] }
  | { readonly kind: 'brand'; readonly ids: readonly number[] }
  | {
      readonly kind: 'reference'
      readonly folded: string
      readonly isPrefix: boolean
      /** The text names a variant that no watch has: these are others of the same base. */
      readonly isOtherVariant?: true
    }
  | { readonly kind: 'nickname'; readonly name: string; readonly nicknames: readonly Nickname[] }
  /** A word in values of a key that is named beside it: `green dial`. */
  | { readonly kind: 'value'; readonly terms: readonly number[]; readonly shown: string }
  | { readonly kind: 'synonym'; readonly terms: readonly number[]; readonly shown: string }
  | {
      readonly kind: 'filter'
      readonly filters: readonly Filter[]
      /** Words such as `diver`, which some watches also have in their name. */
      readonly isEveryday?: true
    }
  | { readonly kind: 'price'; readonly bounds: readonly Bound[] }

export interface Text {
  readonly plain: string
  readonly keys: KeyWords
  readonly tokens: readonly Token[]
  /** The last word that is not said before. */
  readonly beginning: string | undefined
  readonly lookups: Lookups
  readonly measures: readonly Measure[]
  /** The words that a mistyped one may stand for. */
  readonly similarWords: (typed: string, isPrefix: boolean) => readonly SimilarWord[]
  /** What letters mean as a reference, by the letters: a text may repeat its words. */
  readonly references: Map<string, Meaning[]>
}

/** The words of a group at most: no name is longer. */
export const groupMax = 6
/** A reference is found by its beginning from so many characters on. */
const referencePrefixMin = 4
const referenceLengthMax = 40
/** Keys of a synonym that holds for every key. */
const keysMax = 500

/** `Explorer 2` and `Explorer II`. */
const numerals = ['2 ii', '3 iii', '4 iv', '5 v', '6 vi', '7 vii', '8 viii', '9 ix', '12 xii']
const otherNumeral = new Map(
  numerals.flatMap((pair) => {
    const [arabic = '', roman = ''] = pair.split(' ')
    return [
      [arabic, roman],
      [roman, arabic],
    ] as const
  }),
)

export function openText(index: WatchIndex, plain: string): Text {
  const tokens = tokensOf(plain)
  const lookups = lookupsOf(index.vocabulary)
  const similar = new Map<string, readonly SimilarWord[]>()
  const beginning = [...new Set(tokens.map(({ word }) => word))].at(-1)
  return {
    plain,
    tokens,
    beginning,
    lookups,
    keys: keyWordsOf(index),
    measures: measuresIn(index, plain, tokens),
    references: new Map(),
    similarWords: (typed, isPrefix) =>
      similar.getOrInsertComputed(`${isPrefix} ${typed}`, () =>
        index.dictionary.similarWords(typed, mistakesIn(typed), isPrefix),
      ),
  }
}

/** The words of a group, without what is between them. */
function lettersOf({ tokens }: Text, from: number, to: number): string {
  let letters = ''
  for (let at = from; at < to; at++) letters += (tokens[at] as Token).word
  return letters
}

export function writtenAs({ plain, tokens }: Text, from: number, to: number): string {
  return plain.slice((tokens[from] as Token).from, (tokens[to - 1] as Token).to)
}

/** The words of a text as they stand; the last one may be only the beginning of a word. */
export function wordMeaning({ tokens, lookups, beginning }: Text, at: number): Meaning {
  const { word } = tokens[at] as Token
  const others = [otherNumeral.get(word), singularOf(word)].filter((other) => other !== undefined)
  const words = [...new Set([word, ...(lookups.spellings.get(word) ?? []), ...others])]
  return { kind: 'word', words, prefix: word === beginning || at === tokens.length - 1 ? word : undefined }
}

/** `Divers` and `diver`. */
function singularOf(word: string): string | undefined {
  return word.length > 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : undefined
}

/** What the words from `from` up to `to` mean together; without what a single word means as it stands. */
export function meaningsOf(index: WatchIndex, text: Text, from: number, to: number): Meaning[] {
  const { lookups, tokens } = text
  const letters = lettersOf(text, from, to)
  const meanings: Meaning[] = []
  const measure = text.measures.find((one) => one.from === from && one.to === to)
  if (measure !== undefined) {
    const { meaning } = measure
    meanings.push(
      'price' in meaning
        ? { kind: 'price', bounds: meaning.price }
        : { kind: 'filter', filters: meaning.filters },
    )
  }
  const [only] = tokens.slice(from, to)
  const named = to - from === 1 && only !== undefined ? only.word : writtenAs(text, from, to)
  meanings.push(...namedMeanings(index, lookups, named), ...keysOf(index, text, from, to))
  if (!isInMeasure(text, from, to)) {
    const isOne = to - from === 1
    const known = () => referencesOf(index, letters, isOne)
    meanings.push(...text.references.getOrInsertComputed(`${isOne} ${letters}`, known))
  }
  if (to - from > 1 && to - from <= 3) {
    const isLast = to === tokens.length
    if (hasTerms(index, letters))
      meanings.push({ kind: 'word', words: [letters], prefix: isLast ? letters : undefined })
  }
  return meanings
}

/** What is called so: a brand, a nickname, everyday words for a filter, a synonym. */
export function namedMeanings(index: WatchIndex, lookups: Lookups, written: string): Meaning[] {
  const letters = foldLetters(written)
  const meanings: Meaning[] = []
  const ids = index.brands.idsOf(written)
  if (ids.length > 0) meanings.push({ kind: 'brand', ids })
  const nicknames = lookups.nicknames.get(letters)
  if (nicknames !== undefined) meanings.push({ kind: 'nickname', name: written, nicknames })
  const filters = lookups.filters.get(letters) ?? lookups.filters.get(singularOf(letters) ?? '')
  if (filters !== undefined) meanings.push({ kind: 'filter', filters, isEveryday: true })
  return [...meanings, ...synonymsOf(index, lookups, letters)]
}

function isInMeasure({ measures }: Text, from: number, to: number): boolean {
  return measures.some((measure) => from < measure.to && measure.from < to)
}

/** Whether a term of some watches contains the word. */
export function hasTerms({ dictionary, postings }: WatchIndex, word: string): boolean {
  return dictionary.termsOf(word).some((terms) => terms.some((term: number) => postings.count(term) > 0))
}

/** A value with the name of its key, or a key that not every watch has. */
function keysOf(index: WatchIndex, text: Text, from: number, to: number): Meaning[] {
  const { tokens, keys, lookups } = text
  const words = tokens.slice(from, to).map(({ word }) => word)
  const rare = keys.rare.get(words.join(''))
  const having: Filter[] =
    rare === undefined ? [] : [{ subject: 'spec', key: rare, operator: 'not', values: ['false'] }]
  const meanings: Meaning[] = rare === undefined ? [] : [{ kind: 'filter', filters: having }]
  if (words.length !== 2 || isInMeasure(text, from, to)) return meanings
  for (const [value = '', name = ''] of [words, words.toReversed()]) {
    const named = keys.byWord.get(name)
    if (named === undefined || keys.byWord.has(value)) continue
    const terms = (lookups.spellings.get(value) ?? [value])
      .flatMap((word) => index.dictionary.termsOf(word).flatMap((list) => [...list]))
      .filter((term) => named.has(keyOfValue(index.dictionary.text(term)) ?? ''))
    if (terms.length > 0)
      meanings.push({ kind: 'value', terms, shown: `${[...named].join(' or ')}: ${value}` })
  }
  return meanings
}

function synonymsOf(index: WatchIndex, { synonyms }: Lookups, letters: string): Meaning[] {
  const found = synonyms.get(letters)
  if (found === undefined) return []
  const { dictionary, vocabulary } = index
  const terms: number[] = []
  for (const synonym of found) {
    const keys = isEveryKey(synonym)
      ? dictionary.keys.slice(0, keysMax).map((term) => keyOf(dictionary.text(term)))
      : [synonym.key]
    for (const key of keys) {
      const term = dictionary.find(specTerm(key, vocabulary.read(key, synonym.shown).term))
      if (term !== undefined && index.postings.count(term) > 0) terms.push(term)
    }
    // The word itself is in all of its values: they are found by it.
    if (!isEveryKey(synonym) && foldText(synonym.shown) !== letters) terms.push(...valuesWith(index, synonym))
  }
  const shown = found[0]?.shown ?? ''
  return terms.length === 0 ? [] : [{ kind: 'synonym', terms, shown }]
}

/** Values of the key that say the same and more: `18k rose gold` for `or rose`. */
function valuesWith(index: WatchIndex, { key, shown }: Pick<Synonym, 'key' | 'shown'>): number[] {
  const { dictionary, postings } = index
  const [only, ...others] = foldWords(shown)
  const words = [only ?? '', ...others]
  // Each has one of the words, so it has the only one.
  const hasAll = (text: string) => {
    const known = others.length === 0 ? words : foldWords(text)
    return words.every((word) => known.includes(word))
  }
  return Array.from(termsOfRarest(index, words, valueKinds))
    .filter(([term, text]) => hasAll(text) && keyOfValue(dictionary.text(term)) === key)
    .map(([, text]) => dictionary.find(specTerm(key, index.read(key, text).term)))
    .filter((term) => term !== undefined && postings.count(term) > 0) as number[]
}

/** A reference in whole or its beginning, with or without what makers put before and after it. */
function referencesOf({ references }: WatchIndex, letters: string, isOneWord: boolean): Meaning[] {
  if (!/\d/.test(letters) || letters.length < 3 || letters.length > referenceLengthMax) return []
  const isFound = (folded: string, isPrefix: boolean) =>
    isPrefix ? references.first(folded, 1).length > 0 : references.has(folded)
  const meaning = (folded: string, isPrefix: boolean): Meaning[] => [{ kind: 'reference', folded, isPrefix }]
  if (letters.length >= referencePrefixMin && isFound(letters, true)) return meaning(letters, true)
  if (isFound(letters, false)) return meaning(letters, false)
  for (const folded of otherSpellings(letters)) if (isFound(folded, true)) return meaning(folded, true)
  // `126610LX`: the digits are those of some variant.
  const [, base = ''] = /^(\d{5,6}|[a-z]{2,4}\d{3})[a-z]{1,5}\d?$/.exec(letters) ?? []
  if (!isOneWord || base === '' || !isFound(base, true)) return []
  return [{ kind: 'reference', folded: base, isPrefix: true, isOtherVariant: true }]
}

/** What makers put before their references, and people leave out. */
const makersLetters = ['iw', 'q', 'pam', 'pam0', 'pam00', 'fc', 'al', 'rm', 'h', 'l']

function* otherSpellings(letters: string): Iterable<string> {
  // Rolex and Tudor write M126610LN-0001 on their sites.
  const [, site] = /^m(\d{4,6}[a-z]{0,6}?)(?:0\d{3})?$/.exec(letters) ?? []
  if (site !== undefined) yield site
  const [, digits] = /^(?:pam|iw|q)?(\d{3,})$/.exec(letters) ?? []
  if (digits !== undefined) for (const maker of makersLetters) yield `${maker}${digits}`
}

/** Finds two words that the dictionary has side by side in a term, where one was typed. */
export function splitMeaning(index: WatchIndex, word: string): Meaning | undefined {
  const { dictionary, postings } = index
  for (let at = word.length - 1; at > 0; at--) {
    const words = [word.slice(0, at), word.slice(at)] as const
    if (words.some((part) => dictionary.find(wordTerm(part)) === undefined)) continue
    const terms: number[] = []
    for (const [term, text] of termsOfRarest(index, words, textKinds)) {
      if (postings.count(term) > 0 && hasSideBySide(text, words)) terms.push(term)
    }
    if (terms.length > 0) return { kind: 'split', words, terms }
  }
  return undefined
}

function hasSideBySide(text: string, [first, second]: readonly [string, string]): boolean {
  const tokens = tokensOf(plainText(text))
  return tokens.some(({ word }, at) => word === first && tokens[at + 1]?.word === second)
}

const valueKinds: ReadonlySet<number> = new Set([valueKind])
const textKinds: ReadonlySet<number> = new Set([collectionKind, valueKind])
/** A word that more terms have is too frequent to look at all of them. */
const termsMax = 2_000

/** Returns the terms with the rarest of the words, each with its text: no other term can have all of them. */
export function* termsOfRarest(
  { dictionary }: WatchIndex,
  words: readonly string[],
  kinds: ReadonlySet<number>,
  max = termsMax,
): Generator<readonly [term: number, text: string]> {
  let fewest: (Uint32Array | readonly number[])[] = []
  let count = max + 1
  for (const word of words) {
    const lists = dictionary.termsOf(word)
    const own = lists.reduce((sum, { length }) => sum + length, 0)
    if (own === 0) return
    if (own < count) [fewest, count] = [lists, own]
  }
  for (const terms of fewest) {
    for (const term of terms) {
      // Most terms are of another kind: their texts need not be read.
      if (kinds.has(dictionary.unit(term, 0))) yield [term, writtenText(dictionary.text(term)) ?? '']
    }
  }
}

/** The reference that the group is in whole, if there is one. */
export function exactReference({ references }: WatchIndex, letters: string): string | undefined {
  const folded = foldReference(letters)
  return folded.length > 1 && references.has(folded) ? folded : undefined
}
