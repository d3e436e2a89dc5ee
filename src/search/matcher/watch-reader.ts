// Derives the terms of a single watch, to match it with filters. It uses the code that builds the index, so that terms
// mean the same in both. Watches share most of their values, so the terms of values are cached, within a limit.
import type { WatchState } from '../../catalogue/watches.ts'
import { foldReference, foldWords } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { type Interning, WatchTerms } from '../dictionary/terms.ts'

/** `brand` is the name of the brand, which may be an earlier one. */
export type MatchedWatch = Omit<WatchState, 'updated_at'>

interface CachedTerm {
  readonly text: string
  /** The term of the spec key that it is a value of, and its number for ranges; NaN if it is not a number. */
  readonly key: string
  readonly number: number
  /** The numbers of the marks of the term and of its words. */
  readonly marks: readonly number[]
}

interface ReadWatch {
  readonly terms: readonly CachedTerm[]
  /** The folded reference number. */
  readonly reference: string
  /** The words of the reference, with and without its dots; none if it is a single word. */
  readonly referenceWords: readonly string[]
}

/** Returns the numbers of the marks that occur in a filter. */
type FindMarks = (term: string, words: readonly string[]) => readonly number[]

/** The cache is cleared after watches with new terms of this many bytes of specs were read. */
const keptBytesMax = 4 * 1024 * 1024

/** Returns a function that reads watches one after the other. */
export function watchReader(
  vocabulary: Vocabulary,
  findMarks: FindMarks,
  bytesMax = keptBytesMax,
): (watch: MatchedWatch) => ReadWatch {
  let kept = new CachedTerms(vocabulary, findMarks)
  return (watch) => {
    if (kept.bytes > bytesMax) kept = new CachedTerms(vocabulary, findMarks)
    return kept.read(watch)
  }
}

class CachedTerms implements Interning {
  readonly #findMarks: FindMarks
  readonly #kept: CachedTerm[] = []
  readonly #places = new Map<string, number>()
  readonly #terms: WatchTerms
  /** A number for each brand name, used as brand id: the words of a brand are those of the name the watch has. */
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
    const brandId = this.#brands.getOrInsert(brand, this.#brands.size)
    const bytes = Buffer.from(JSON.stringify(specs))
    const { groups } = this.#terms
    const groupsBefore = groups.length
    const terms: CachedTerm[] = []
    this.#referenceWords = []
    this.#terms.collect(
      { brandId, brand, collection, reference_number, specs: { bytes, from: 0, to: bytes.length } },
      {
        push: () => {},
        pushGroup: (group) => {
          for (const place of groups[group] ?? []) terms.push(this.#kept[place] as CachedTerm)
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

  /** Records a word of the reference. Such words are not cached, because references are nearly unique. */
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
