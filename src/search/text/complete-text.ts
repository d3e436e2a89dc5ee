// Completes what somebody is typing: brands, collections, references, nicknames and spec values that go on like the
// text, with the number of watches of each. The last word may be the beginning of one, and may be mistyped.
import { foldLetters, foldReference, plainText } from '../../specs/fold.ts'
import type { Nickname } from '../../specs/nicknames.ts'
import { scalarsOf } from '../../specs/vocabulary.ts'
import { mistakesIn } from '../dictionary/similar-words.ts'
import {
  brandCollectionTerm,
  brandTerm,
  collectionIn,
  collectionKey,
  keyOfValue,
  meaningOf,
  specTerm,
  writtenText,
} from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { parameterNames } from '../query/operators.ts'
import { firstWhere } from '../sets/first-where.ts'
import { findText, matchesOf, type Select } from './find-text.ts'
import { frequentTerms, isLike, type TopTerms, type Typed, termsLike } from './frequent-terms.ts'
import { lookupsOf } from './lookups.ts'
import { MeaningSets } from './meaning-sets.ts'
import { hasTerms, splitMeaning } from './meanings.ts'
import { tokensOf } from './tokens.ts'

export interface Completion {
  readonly type: 'brand' | 'collection' | 'reference' | 'nickname' | 'value'
  readonly text: string
  /** The brand of a collection, reference or nickname; null where several brands have it. */
  readonly brand: string | null
  /** The spec key of a value. */
  readonly key: string | null
  /** The query string of the list of these watches. */
  readonly query: string
  readonly watches_count: number
}

/** Completions of each type, in the order in which they are returned. */
const shares = { brand: 3, collection: 4, nickname: 2, reference: 3, value: 4 } as const
/** Terms, names and collections of a brand that are compared at most. */
const comparedMax = 4_000
const nicknameMin = 3
/** Nicknames with the same beginning of which the sets are made at most. */
const comparedNicknames = 8
const referenceMin = 2
/** References of all brands among which those of one are found. */
const ofBrandMax = 100
const hasDigit = /\d/
/** Numbers are no names of two words. */
const splittable = /^\p{L}{5,}$/u

interface LeadingBrand {
  readonly ids: readonly number[]
  readonly words: readonly string[]
}

export function completeText(index: WatchIndex, plain: string, limit: number, select: Select): Completion[] {
  const words = tokensOf(plain).map(({ word }) => word)
  const found = completionsOf(index, words, select)
  if (found.some(({ type }) => type === 'brand' || type === 'collection')) return found.slice(0, limit)
  const apart = splitWords(index, words)
  const split = apart.length > words.length ? completionsOf(index, apart, select) : []
  const joined = [...split, ...found].filter(isFirst)
  const all = joined.length > 0 ? joined : completionsOf(index, correctedWords(index, words), select)
  return all.slice(0, limit)
}

function completionsOf(index: WatchIndex, words: readonly string[], select: Select): Completion[] {
  const typed: Typed = { words: words.slice(0, -1), last: words.at(-1) ?? '' }
  if (typed.last === '') return []
  const leading = leadingBrand(index, words)
  const byBrand = leading === undefined ? [] : collectionsOf(index, leading)
  const { collections, values } = frequentTerms(index, typed)
  return [
    ...brandsLike(index, typed, words),
    ...[...byBrand, ...collectionsLike(index, typed, collections)].slice(0, shares.collection),
    // Their numbers of watches take a search each: behind a brand, only where few collections go on like the text.
    ...(byBrand.length > 1 ? [] : nicknamesLike(index, leading?.words ?? words, select, leading?.ids)),
    ...referencesLike(index, leading?.words ?? words, leading?.ids),
    ...valuesLike(index, typed, values),
  ].filter(isFirst)
}

/** `gshock` as two words, if a name or value has them side by side. */
function splitWords(index: WatchIndex, words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const meaning = !splittable.test(word) || hasTerms(index, word) ? undefined : splitMeaning(index, word)
    return meaning?.kind === 'split' ? meaning.words : [word]
  })
}

/** Every unknown word in its likeliest spelling; the last one as a beginning. */
function correctedWords(index: WatchIndex, words: readonly string[]): string[] {
  return words.map((word, at) => {
    const isPrefix = at === words.length - 1
    if (index.dictionary.termsOf(word).some(({ length }) => length > 0)) return word
    const [similar] = index.dictionary.similarWords(word, mistakesIn(word), isPrefix)
    return similar?.word ?? word
  })
}

function brandsLike(index: WatchIndex, { words, last }: Typed, all: readonly string[]): Completion[] {
  const named = new Set(index.brands.idsOf(all.join(' ')))
  const hasWords = (known: readonly string[]) =>
    words.every((word) => known.includes(word)) && known.some((one) => one.startsWith(last))
  return index.brands.rows
    .slice(0, comparedMax)
    .filter(({ id }) => named.has(id) || hasWords(index.brands.words(id)))
    .map(({ id, name }) => ({ id, name, count: countOf(index, brandTerm(id)) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => Number(named.has(other.id)) - Number(named.has(one.id)) || other.count - one.count)
    .slice(0, shares.brand)
    .map(({ name, count }) => completion('brand', name, { brand: name }, { brand: name }, count))
}

/** The brands that the text begins with, and the words behind them; undefined if it begins with none. */
function leadingBrand({ brands }: WatchIndex, words: readonly string[]): LeadingBrand | undefined {
  for (let end = words.length - 1; end > 0; end--) {
    const ids = brands.idsOf(words.slice(0, end).join(' '))
    if (ids.length > 0) return { ids, words: words.slice(end) }
  }
  return undefined
}

/** `omega sea`: the collections of the brand that the text begins with. */
function collectionsOf(index: WatchIndex, { ids, words }: LeadingBrand): Completion[] {
  const [typed, last] = [words.slice(0, -1), words.at(-1) ?? '']
  return ids.flatMap((id) => {
    const brand = index.brands.find(id)?.name ?? ''
    const terms = index.dictionary.valuesOf(index.dictionary.find(brandTerm(id))).subarray(0, comparedMax)
    return [...terms]
      .map((term) => ({ term, count: index.postings.count(term) }))
      .filter(
        ({ term, count }) => count > 0 && isLike(collectionIn(index.dictionary.text(term)), typed, last),
      )
      .sort((one, other) => other.count - one.count)
      .slice(0, shares.collection)
      .map(({ term, count }) => {
        const name = spelled(index, term, ({ collection }): string => collection)
        return completion('collection', name, { brand }, { brand, collection: name }, count)
      })
  })
}

function collectionsLike(index: WatchIndex, typed: Typed, frequent: TopTerms): Completion[] {
  const { vocabulary } = index
  return termsLike(index, typed, frequent, shares.collection).map(({ term, count }) => {
    const { collection: name, brand } = index.watchAt(index.postings.first(term) ?? 0)
    const [brandId = 0] = index.brands.idsOf(brand)
    const ofBrand = countOf(index, brandCollectionTerm(brandId, vocabulary.read(collectionKey, name).term))
    // A collection of several brands is listed for all of them.
    const owner = ofBrand >= count ? { brand } : {}
    return completion('collection', name, owner, { ...owner, collection: name }, count)
  })
}

/** `rolex hul`: those of the brands, if the text names some. */
function nicknamesLike(
  index: WatchIndex,
  words: readonly string[],
  select: Select,
  ids?: readonly number[],
): Completion[] {
  const letters = words.join('')
  if (letters.length < nicknameMin) return []
  const sets = new MeaningSets(index, select)
  const found: Completion[] = []
  const { nicknames: byLetters, nicknameOrder } = lookupsOf(index.vocabulary)
  const seen = new Set<Nickname | undefined>()
  const start = firstWhere(0, nicknameOrder.length, (at) => (nicknameOrder[at] as string) >= letters)
  for (const known of nicknameOrder.slice(start, start + comparedNicknames)) {
    if (!known.startsWith(letters)) break
    const nicknames = byLetters.get(known) ?? []
    if (!nicknames.some((one) => isOfBrands(index, one, ids))) continue
    // `Speedy Pro` and `Speedmaster Pro` are the same.
    if (seen.has(nicknames[0])) continue
    seen.add(nicknames[0])
    if (sets.ofMeaning({ kind: 'nickname', name: known, nicknames }).count === 0) continue
    const name = nicknames[0]?.names.find((one) => foldLetters(one) === known) ?? known
    const [brand, ...others] = new Set(nicknames.map((one) => one.brand))
    const owner = others.length === 0 ? brand : undefined
    // The list of a nickname also has the watches with its words.
    const { count } = matchesOf(index, findText(index, plainText(name), select))
    found.push(completion('nickname', name, { brand: owner }, { q: name }, count))
    if (found.length === shares.nickname) break
  }
  return found
}

function isOfBrands({ brands }: WatchIndex, nickname: Nickname, ids: readonly number[] | undefined): boolean {
  return ids === undefined || ids.some((id) => brands.nicknamesOf(id).includes(nickname))
}

/** `rolex 126`: those of the brands, if the text names some. */
function referencesLike(index: WatchIndex, words: readonly string[], ids?: readonly number[]): Completion[] {
  const letters = words.join('')
  if (letters.length < referenceMin || !(hasDigit.test(letters) || ids !== undefined)) return []
  const all = index.references.first(letters, ids === undefined ? shares.reference : ofBrandMax)
  const own = all.filter((ordinal) => ids === undefined || ids.includes(index.columns.brandId(ordinal)))
  return own.slice(0, shares.reference).map((ordinal) => {
    const { brand, reference_number: text } = index.watchAt(ordinal)
    const { count } = index.references.having(foldReference(text))
    return completion('reference', text, { brand }, { brand, reference_number: text }, count)
  })
}

/** A value is listed once, however it is spelled, with the watches that the filter finds. */
function valuesLike(index: WatchIndex, typed: Typed, frequent: TopTerms): Completion[] {
  const known = new Set<string>()
  return termsLike(index, typed, frequent, shares.value * 2)
    .flatMap(({ term, text }) => {
      const key = keyOfValue(text) ?? ''
      const meaning = meaningOf(text, key)
      const value = spelled(index, term, ({ specs }) =>
        scalarsOf(specs[key]).find((scalar) => {
          const { term: read, exact } = index.vocabulary.read(key, scalar)
          return read === meaning || exact === meaning
        }),
      )
      const shown = String(value ?? writtenText(text))
      const meant = specTerm(key, index.read(key, shown).term)
      if (known.has(meant)) return []
      known.add(meant)
      const { nested } = parameterNames({ subject: 'spec', key, operator: 'is' })
      return [completion('value', shown, { key }, { [nested]: shown }, countOf(index, meant))]
    })
    .slice(0, shares.value)
}

/** How the first watch with a term writes what the term stands for. */
function spelled<T>(
  index: WatchIndex,
  term: number,
  read: (watch: ReturnType<WatchIndex['watchAt']>) => T,
): T {
  const ordinal = index.postings.first(term) ?? 0
  return index.spellings.get(term, ordinal, () => read(index.watchAt(ordinal))) as T
}

function countOf({ dictionary, postings }: WatchIndex, term: string): number {
  return postings.count(dictionary.find(term))
}

function completion(
  type: Completion['type'],
  text: string,
  { brand = null, key = null }: { readonly brand?: string | null | undefined; readonly key?: string | null },
  parameters: Readonly<Record<string, string>>,
  watches_count: number,
): Completion {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return { type, text, brand, key, query, watches_count }
}

function isFirst({ query }: Completion, at: number, all: readonly Completion[]): boolean {
  return all.findIndex((other) => other.query === query) === at
}
