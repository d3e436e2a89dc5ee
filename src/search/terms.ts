// In charge of what a watch can be found by, as terms: short texts that begin with a letter for their kind.
// The same rules write the index and ask it, so that whatever is stored can be found.
import { foldReference, foldWords } from '../specs/fold.ts'
import { type Reading, scalarsOf, type Vocabulary } from '../specs/vocabulary.ts'
import type { Interning } from './dictionary.ts'

export interface TermSource {
  readonly brandId: number
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  readonly specs: Readonly<Record<string, unknown>>
}

type Scalar = string | number | boolean

/** Values whose terms are kept while many watches are read: most share theirs. */
const memoMax = 500_000

export const collectionKey = 'collection'

/** No watch has this one: the collections are its values. */
export const collectionsTerm = 'f'

export function brandTerm(brandId: number): string {
  return `b${brandId}`
}

export function collectionTerm(reading: Pick<Reading, 'term'>): string {
  return `c${reading.term}`
}

/** One a collection of a brand: how many there are is what a brand says of itself. */
export function brandCollectionTerm(brandId: number, reading: Pick<Reading, 'term'>): string {
  return `p${brandId}:${reading.term}`
}

export function referenceTerm(reference: string): string {
  return `r${foldReference(reference)}`
}

/** That a watch has the key at all. */
export function keyTerm(key: string): string {
  return `k${key}`
}

/** The spec key of a term that is one. */
export function findKey(term: string): string | undefined {
  return term.startsWith('k') ? term.slice(1) : undefined
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

export class WatchTerms {
  readonly #vocabulary: Vocabulary
  readonly #interning: Interning
  readonly #keys = new Map<string, { term: number; values: Map<Scalar, readonly number[]> }>()
  readonly #brands = new Map<number, readonly number[]>()
  readonly #collections = new Map<string, readonly number[]>()
  #remembered = 0

  constructor(vocabulary: Vocabulary, interning: Interning) {
    this.#vocabulary = vocabulary
    this.#interning = interning
  }

  /** Appends the numbers of the watch's terms; some may come twice. */
  collect(watch: TermSource, into: number[]): void {
    const { brandId, brand, collection, reference_number, specs } = watch
    append(into, this.#remember(this.#brands, brandId, () => this.#ofBrand(brandId, brand)))
    const place = `${brandId}:${collection}`
    append(into, this.#remember(this.#collections, place, () => this.#ofCollection(brandId, collection)))
    into.push(this.#interning.term(referenceTerm(reference_number)))
    this.#collectWords(reference_number, into)
    // Whole as well: someone may write it without its dots.
    const whole = foldReference(reference_number)
    if (whole !== '') append(into, this.#wordsOf(whole))
    for (const key of Object.keys(specs)) this.#collectSpec(key, specs[key], into)
  }

  #collectSpec(key: string, value: unknown, into: number[]): void {
    if (value === null || value === undefined) return
    let known = this.#keys.get(key)
    if (known === undefined) {
      known = { term: this.#interning.term(keyTerm(key)), values: new Map() }
      this.#keys.set(key, known)
    }
    const { term, values } = known
    into.push(term)
    const one = (scalar: Scalar) =>
      append(into, this.#remember(values, scalar, () => this.#ofValue(key, term, scalar)))
    if (typeof value === 'object') for (const scalar of scalarsOf(value)) one(scalar)
    else one(value as Scalar)
  }

  #ofBrand(brandId: number, brand: string): number[] {
    return [this.#interning.term(brandTerm(brandId)), ...this.#wordsOf(brand)]
  }

  #ofCollection(brandId: number, collection: string): number[] {
    const reading = this.#vocabulary.read(collectionKey, collection)
    // As values: of the field, to be counted as a facet, and of the brand, which tells how many it has.
    return [
      this.#interning.value(this.#interning.term(collectionsTerm), collectionTerm(reading), undefined),
      this.#interning.value(
        this.#interning.term(brandTerm(brandId)),
        brandCollectionTerm(brandId, reading),
        undefined,
      ),
      ...this.#wordsOf(collection),
    ]
  }

  #ofValue(key: string, keyNumber: number, scalar: Scalar): number[] {
    const reading = this.#vocabulary.read(key, scalar)
    const meant = this.#interning.value(keyNumber, specTerm(key, reading.term), reading.number)
    const words = this.#wordsOf(String(scalar))
    if (reading.exact === reading.term) return [meant, ...words]
    return [meant, this.#interning.term(specTerm(key, reading.exact)), ...words]
  }

  #wordsOf(text: string): number[] {
    const words: number[] = []
    this.#collectWords(text, words)
    return words
  }

  #collectWords(text: string, into: number[]): void {
    for (const word of foldWords(text)) into.push(this.#interning.word(word))
  }

  #remember<K>(memo: Map<K, readonly number[]>, of: K, compute: () => number[]): readonly number[] {
    const known = memo.get(of)
    if (known !== undefined) return known
    const terms = compute()
    if (this.#remembered < memoMax) {
      this.#remembered++
      memo.set(of, terms)
    }
    return terms
  }
}

function append(into: number[], terms: readonly number[]): void {
  for (const term of terms) into.push(term)
}
