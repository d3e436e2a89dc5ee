// In charge of what a watch can be found by, as terms: short texts that begin with a letter for their kind.
// The same rules write the index and ask it, so that whatever is stored can be found.
import { foldReference, foldText, foldWords } from '../../specs/fold.ts'
import { scalarsOf, type Vocabulary } from '../../specs/vocabulary.ts'
import { MemberGroups, type TermSink } from './member-groups.ts'
import type { ByteRange } from './rows.ts'

export interface TermSource {
  readonly brandId: number
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  /** The JSON of the document. */
  readonly specs: ByteRange
}

type Scalar = string | number | boolean

export const collectionKey = 'collection'

/** No watch has this one: the collections are its values. */
export const collectionsTerm = 'f'

export function brandTerm(brandId: number): string {
  return `b${brandId}`
}

export function collectionTerm(meaning: string): string {
  return `c${meaning}`
}

/** One a collection of a brand: how many there are is what a brand says of itself. */
function brandCollectionTerm(brandId: number, meaning: string): string {
  return `p${brandId}:${meaning}`
}

/** For free text: the collection as it is spelled. */
function collectionWordsTerm(exact: string): string {
  return `d${exact}`
}

/** That a watch has the key at all. */
export function keyTerm(key: string): string {
  return `k${key}`
}

/** The spec key of its term. */
export function keyOf(term: string): string {
  return term.slice(1)
}

/** The length says where the key ends, whatever it is made of. */
export function specTerm(key: string, meaning: string): string {
  return `s${key.length}:${key}${meaning}`
}

/** What the value of a term means: the `term` of its reading. */
export function meaningOf(term: string, key: string): string {
  return term.slice(specTerm(key, '').length)
}

export function wordTerm(word: string): string {
  return `w${word}`
}

/** By the operator of a range, or that of a number by itself; NaN is within nothing. */
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

/** Takes what a watch has, and gives each its number. A new term may have words, by which its watches are found. */
export interface Interning {
  /** The term of a spec key. */
  key(text: string): number
  term(text: string, words?: string): number
  value(key: number, text: string, number: number | undefined, words: string | undefined): number
  /** A word that watches have by themselves. */
  word(word: string): number
}

export class WatchTerms {
  readonly #vocabulary: Vocabulary
  readonly #interning: Interning
  readonly #groups: (readonly number[])[] = []
  readonly #members: MemberGroups
  /** Groups of brand and collection. */
  readonly #collections = new Map<number, Map<string, number>>()

  constructor(vocabulary: Vocabulary, interning: Interning) {
    this.#vocabulary = vocabulary
    this.#interning = interning
    this.#members = new MemberGroups((member) => this.#addGroup(this.#ofMember(member)))
  }

  /** The terms of each group; a term comes once in each. */
  get groups(): readonly (readonly number[])[] {
    return this.#groups
  }

  collect({ brandId, brand, collection, reference_number, specs }: TermSource, into: TermSink): void {
    into.pushGroup(
      this.#collections.get(brandId)?.get(collection) ?? this.#addCollection(brandId, brand, collection),
    )
    for (const word of referenceWords(reference_number)) into.push(this.#interning.word(word))
    this.#members.visit(specs, into)
  }

  #addGroup(terms: readonly number[]): number {
    return this.#groups.push([...new Set(terms)]) - 1
  }

  #addCollection(brandId: number, brand: string, collection: string): number {
    const { term, exact } = this.#vocabulary.read(collectionKey, collection)
    const brandNumber = this.#interning.term(brandTerm(brandId), brand)
    // As values: of the field, to be counted as a facet, and of the brand, which tells how many it has. A watch without
    // a collection has none of these.
    const field = this.#interning.term(collectionsTerm)
    const own = () => [
      this.#interning.value(field, collectionTerm(term), undefined, undefined),
      this.#interning.value(brandNumber, brandCollectionTerm(brandId, term), undefined, undefined),
      this.#interning.term(collectionWordsTerm(exact), exact.slice(1)),
    ]
    const group = this.#addGroup([brandNumber, ...(collection === '' ? [] : own())])
    const ofBrand = this.#collections.get(brandId) ?? new Map<string, number>()
    this.#collections.set(brandId, ofBrand.set(collection, group))
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

  /** The words are those of the exact reading: watches of one meaning may spell it in different ones. */
  #collectValue(key: string, keyNumber: number, scalar: Scalar, into: number[]): void {
    const { term, exact, number } = this.#vocabulary.read(key, scalar)
    const words = exact.slice(1)
    if (exact === term) into.push(this.#interning.value(keyNumber, specTerm(key, term), number, words))
    else {
      into.push(this.#interning.value(keyNumber, specTerm(key, term), number, undefined))
      into.push(this.#interning.term(specTerm(key, exact), words))
    }
    // A number may be written otherwise than it reads, `39.50`: then it is found by those digits too.
    const written = foldText(String(scalar))
    if (written !== words) into.push(this.#interning.term(specTerm(key, `w${written}`), written))
  }
}

/** The words of a reference, with its dots and without; none where the whole is one, as which References has it. */
function referenceWords(reference: string): string[] {
  if (isOneWord.test(reference)) return []
  const folded = foldReference(reference)
  const words = foldWords(reference)
  for (const word of foldWords(folded)) if (!words.includes(word)) words.push(word)
  return words.length === 1 && words[0] === folded ? [] : words
}

const isOneWord = /^[a-z\d]*$/i
