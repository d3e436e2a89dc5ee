// In charge of what a single watch can be found by, for matching it with filters: its terms are made by the code that
// writes the index, so that they mean the same. Watches share most of their values: what a value comes to is kept,
// within a maximum.
import { foldReference, foldWords } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Interning } from '../index/terms.ts'
import { WatchTerms } from '../index/terms.ts'

export interface MatchedWatch {
  readonly id: number
  /** The name of the brand; it may be one that the brand had before. */
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly specs: Readonly<Record<string, unknown>>
}

interface KeptTerm {
  readonly text: string
  /** The term of the spec key of which it is a value, and its number, for ranges; NaN where it is none. */
  readonly key: string
  readonly number: number
  /** The marks of the term and of its words, as numbers. */
  readonly marks: readonly number[]
}

export interface ReadWatch {
  readonly terms: readonly KeptTerm[]
  /** Folded. */
  readonly reference: string
  /** The words of the reference, with its dots and without; none where the whole is one. */
  readonly referenceWords: readonly string[]
}

/** The numbers of those marks that anybody asks for. */
export type FindMarks = (term: string, words: readonly string[]) => readonly number[]

/** Bytes of watches that had something new, after which all that is kept is forgotten. */
const keptBytesMax = 4 * 1024 * 1024

export class WatchReader {
  readonly #vocabulary: Vocabulary
  readonly #findMarks: FindMarks
  readonly #bytesMax: number
  #kept: KeptTerms

  constructor(vocabulary: Vocabulary, findMarks: FindMarks, bytesMax = keptBytesMax) {
    this.#vocabulary = vocabulary
    this.#findMarks = findMarks
    this.#bytesMax = bytesMax
    this.#kept = new KeptTerms(vocabulary, findMarks)
  }

  read(watch: MatchedWatch): ReadWatch {
    if (this.#kept.bytes > this.#bytesMax) this.#kept = new KeptTerms(this.#vocabulary, this.#findMarks)
    return this.#kept.read(watch)
  }
}

class KeptTerms implements Interning {
  readonly #findMarks: FindMarks
  readonly #kept: KeptTerm[] = []
  readonly #places = new Map<string, number>()
  readonly #terms: WatchTerms
  /** A number for each name: the words of a brand are those of the name that the watch has. */
  readonly #brands = new Map<string, number>()
  #referenceWords: string[] = []
  #bytes = 0

  constructor(vocabulary: Vocabulary, findMarks: FindMarks) {
    this.#findMarks = findMarks
    this.#terms = new WatchTerms(vocabulary, this)
  }

  get bytes(): number {
    return this.#bytes
  }

  read({ brand, collection, reference_number, specs }: MatchedWatch): ReadWatch {
    const brandId = this.#brands.get(brand) ?? this.#brands.size
    this.#brands.set(brand, brandId)
    const bytes = Buffer.from(JSON.stringify(specs))
    const source = { brandId, brand, collection, reference_number }
    const { groups } = this.#terms
    const groupsBefore = groups.length
    const terms: KeptTerm[] = []
    this.#referenceWords = []
    this.#terms.collect(
      { ...source, specs: { bytes, from: 0, to: bytes.length } },
      {
        push: () => {},
        pushGroup: (group) => {
          for (const place of groups[group] ?? []) terms.push(this.#kept[place] as KeptTerm)
        },
      },
    )
    if (groups.length > groupsBefore) this.#bytes += bytes.length
    return { terms, reference: foldReference(reference_number), referenceWords: this.#referenceWords }
  }

  key(text: string): number {
    return this.term(text)
  }

  term(text: string, words?: string): number {
    return this.#places.get(text) ?? this.#add(text, '', Number.NaN, words)
  }

  value(key: number, text: string, number = Number.NaN, words?: string): number {
    return this.#places.get(text) ?? this.#add(text, this.#kept[key]?.text ?? '', number, words)
  }

  /** Of the reference. It is not kept, because nearly every watch has another; so it has no place. */
  word(word: string): number {
    this.#referenceWords.push(word)
    return -1
  }

  #add(text: string, key: string, number: number, words = ''): number {
    const marks = this.#findMarks(text, foldWords(words))
    const place = this.#kept.push({ text, key, number, marks }) - 1
    this.#places.set(text, place)
    return place
  }
}
