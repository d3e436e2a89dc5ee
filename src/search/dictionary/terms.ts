// Derives the terms of a watch: short texts, with a letter for their kind first, by which filters find it. Indexing and
// querying share these functions, so that every stored value can be found.
import type { WatchRow } from '../../catalogue/watches.ts'
import { foldReference, foldText, foldWords } from '../../specs/fold.ts'
import { type Scalar, scalarsOf, type Vocabulary } from '../../specs/vocabulary.ts'
import { type ByteRange, MemberGroups, type TermSink } from './member-groups.ts'

export interface TermSource extends Pick<WatchRow, 'collection' | 'reference_number'> {
  readonly brandId: number
  readonly brand: string
  /** The JSON of the watch's `specs`. */
  readonly specs: ByteRange
}

export const collectionKey = 'collection'

// The kinds of terms, each with its own first letter.
export const brandTerm = (brandId: number): string => `b${brandId}`
export const collectionTerm = (meaning: string): string => `c${meaning}`
/** The term of the exact spelling of a collection, for full-text search. */
export const collectionWordsTerm = (exact: string): string => `d${exact}`
/** A key term whose values are the terms of all collections. No watch has it. */
export const collectionsTerm = 'f'
/** The term of every watch that has the key, whatever its value. */
export const keyTerm = (key: string): string => `k${key}`
/** The term of a collection within a brand, used to count the collections of each brand. */
export const brandCollectionTerm = (brandId: number, meaning: string): string => `p${brandId}:${meaning}`
/** The length prefix marks the end of the key, whatever characters the key contains. */
export const specTerm = (key: string, meaning: string): string => `s${key.length}:${key}${meaning}`
export const wordTerm = (word: string): string => `w${word}`

/** Returns the word of a word's term. */
export function wordOf(term: string): string {
  return term.slice(1)
}

/** Returns the spec key of a key term. */
export function keyOf(term: string): string {
  return term.slice(1)
}

/** Returns the `meaning` that was passed to `specTerm`. */
export function meaningOf(term: string, key: string): string {
  return term.slice(specTerm(key, '').length)
}

/** Returns the folded name in the term of a collection within a brand. */
export function collectionIn(term: string): string {
  return term.slice(term.indexOf(':') + 2)
}

/** Returns the folded text of a collection or spec value that a term stands for; undefined for other terms. */
export function writtenText(term: string): string | undefined {
  const valueAt = isCollectionText(term) ? collectionWordsTerm('').length : valueStart(term)
  // The first letter of a meaning is its kind.
  return valueAt === undefined ? undefined : term.slice(valueAt + 1)
}

/** Returns the spec key that the term is a value of. */
export function keyOfValue(term: string): string | undefined {
  const end = valueStart(term)
  return end === undefined ? undefined : term.slice(term.indexOf(':') + 1, end)
}

function valueStart(term: string): number | undefined {
  const [start, length] = /^s(\d+):/.exec(term) ?? []
  return start === undefined ? undefined : start.length + Number(length)
}

/** The first UTF-16 unit of the term of a spec value. */
export const valueKind: number = specTerm('', '').charCodeAt(0)

/** The first UTF-16 unit of the term of a brand. */
export const brandKind: number = brandTerm(0).charCodeAt(0)

/** The first UTF-16 unit of the term of a collection as it is written. */
export const collectionKind: number = collectionWordsTerm('').charCodeAt(0)

function isCollectionText(term: string): boolean {
  return term.startsWith(collectionWordsTerm(''))
}

/** Compares by a range operator; any other operator means equality. NaN matches nothing. */
export function isWithin(number: number, operator: string, bound: number): boolean {
  switch (operator) {
    case 'gt':
      return number > bound
    case 'gte':
      return number >= bound
    case 'lt':
      return number < bound
    case 'lte':
      return number <= bound
    default:
      return number === bound
  }
}

/** Assigns numbers to terms. The words of a new term are indexed, so that its watches are found by them. */
export interface Interning {
  /** Returns the number of the term of a spec key. */
  key(text: string): number
  term(text: string, words?: string): number
  value(key: number, text: string, number?: number, words?: string): number
  /** Returns the number of a word that belongs to the watch itself, not to one of its terms. */
  word(word: string): number
}

export class WatchTerms {
  readonly #vocabulary: Vocabulary
  readonly #interning: Interning
  /** The terms of each group, without duplicates. */
  readonly groups: (readonly number[])[] = []
  readonly #members: MemberGroups
  /** The group of each brand and collection. */
  readonly #collections = new Map<number, Map<string, number>>()

  constructor(vocabulary: Vocabulary, interning: Interning) {
    this.#vocabulary = vocabulary
    this.#interning = interning
    this.#members = new MemberGroups((member) => this.#addGroup(this.#ofMember(member)))
  }

  collect({ brandId, brand, collection, reference_number, specs }: TermSource, into: TermSink): void {
    into.pushGroup(
      this.#collections.get(brandId)?.get(collection) ?? this.#addCollection(brandId, brand, collection),
    )
    for (const word of referenceWords(reference_number)) into.push(this.#interning.word(word))
    this.#members.visit(specs, into)
  }

  #addGroup(terms: readonly number[]): number {
    return this.groups.push([...new Set(terms)]) - 1
  }

  #addCollection(brandId: number, brand: string, collection: string): number {
    const { term, exact } = this.#vocabulary.read(collectionKey, collection)
    const brandNumber = this.#interning.term(brandTerm(brandId), brand)
    // A collection is a value of the field, to be counted as a facet, and a value of the brand, for its number of
    // collections. A watch without a collection has none of these terms.
    const field = this.#interning.term(collectionsTerm)
    const own = () => [
      this.#interning.value(field, collectionTerm(term)),
      this.#interning.value(brandNumber, brandCollectionTerm(brandId, term)),
      this.#interning.term(collectionWordsTerm(exact), exact.slice(1)),
    ]
    const group = this.#addGroup([brandNumber, ...(collection === '' ? [] : own())])
    this.#collections.getOrInsertComputed(brandId, () => new Map()).set(collection, group)
    return group
  }

  #ofMember(member: string): number[] {
    const terms: number[] = []
    for (const [key, value] of Object.entries(JSON.parse(`{${member}}`))) {
      if (value === null) continue
      const keyNumber = this.#interning.key(keyTerm(key))
      terms.push(keyNumber)
      for (const scalar of scalarsOf(value)) this.#collectValue(key, keyNumber, scalar, terms)
    }
    return terms
  }

  /** Words come from the exact reading: watches with the same meaning may spell it with different words. */
  #collectValue(key: string, keyNumber: number, scalar: Scalar, into: number[]): void {
    const { term, exact, number } = this.#vocabulary.read(key, scalar)
    const words = exact.slice(1)
    const isExact = exact === term
    into.push(this.#interning.value(keyNumber, specTerm(key, term), number, isExact ? words : undefined))
    if (!isExact) into.push(this.#interning.term(specTerm(key, exact), words))
    // The text of a number may differ from its reading, as `39.50` does: then it is also found by that text.
    const written = foldText(String(scalar))
    if (written !== words) into.push(this.#interning.term(specTerm(key, `w${written}`), written))
  }
}

/** Returns the words of a reference, with and without its dots; none if it is a single word, which References finds. */
function referenceWords(reference: string): string[] {
  if (isOneWord.test(reference)) return []
  const folded = foldReference(reference)
  const words = foldWords(reference)
  for (const word of foldWords(folded)) if (!words.includes(word)) words.push(word)
  return words.length === 1 && words[0] === folded ? [] : words
}

const isOneWord = /^[a-z\d]*$/i
