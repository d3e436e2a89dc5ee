// The dictionary of the index: assigns numbers to terms and lists the values of a spec key, by text and by number, and
// the terms that contain a word. It is built in a worker thread, passed on as typed arrays and extended in place.
import { firstWhere } from '../sets/first-where.ts'
import { Lists, type ListsParts } from '../sets/number-lists.ts'
import { AddedTerms } from './added-terms.ts'
import { findSimilar, type SimilarWord, type SpellingParts } from './similar-words.ts'
import { compareTexts } from './sort-by-text.ts'
import { TermTable, type TermTableParts } from './term-table.ts'
import { wordOf, wordTerm } from './terms.ts'

export interface DictionaryParts {
  readonly terms: TermTableParts
  /** The terms of the spec keys. */
  readonly keys: Uint32Array
  /** The terms of the values of each spec key, in order of text. */
  readonly values: ListsParts
  /** Those of them that are numbers, in order of number, and the numbers, for range filters. */
  readonly numeric: ListsParts
  readonly numbers: Float64Array
  /** The terms of the words, in order of text. */
  readonly words: Uint32Array
  /**
   * The terms that contain each word: a watch with such a term has the word. Those of `words[n]` are `owners` from
   * `ownerStarts[n]` up to `ownerStarts[n + 1]`, so those of all words with a prefix are contiguous.
   */
  readonly ownerStarts: Uint32Array
  readonly owners: Uint32Array
  readonly spelling: SpellingParts
}

/** The numeric values of a spec key. */
export interface NumericValues {
  /** In order of number. */
  readonly terms: Uint32Array
  readonly numbers: Float64Array
  /** Values that were added after the build, in any order. */
  readonly added: readonly { readonly term: number; readonly number: number }[]
}

const keptWords = 500

export class Dictionary extends AddedTerms<TermTable> {
  readonly #parts: DictionaryParts
  readonly #numeric: Lists
  /** The values of each key with those added after the build, in order of text. */
  readonly #merged = new Map<number, Uint32Array>()
  /** The terms that contained a word at the time of the build, by the term of the word. */
  readonly #builtTerms = new Map<number, Uint32Array>()

  constructor(parts: DictionaryParts) {
    super(new TermTable(parts.terms), parts.keys, parts.values)
    this.#parts = parts
    this.#numeric = new Lists(parts.numeric)
  }

  text(term: number): string {
    return this.table.text(term)
  }

  /** Returns the UTF-16 unit at a position of the term's text. */
  unit(term: number, at: number): number {
    return this.table.unit(term, at)
  }

  /** Returns the terms of every value the key has, or had since the build, in order of text. */
  valuesOf(key: number | undefined): Uint32Array {
    if (key === undefined) return noTerms
    const built = this.values.built(key)
    const added = this.values.added(key)
    if (added.length === 0) return built
    const before = this.#merged.get(key) ?? built
    const newer = added.slice(before.length - built.length)
    if (newer.length === 0) return before
    const merged = this.#insert(before, newer)
    this.#merged.set(key, merged)
    return merged
  }

  /** Returns the values of the key that are numbers. */
  numericValues(key: number): NumericValues {
    const { start, end } = this.#numeric.span(key)
    const numbers = this.#parts.numbers.subarray(start, end)
    const added = this.values.added(key).flatMap((term) => {
      const number = this.numbers.get(term)
      return number === undefined ? [] : [{ term, number }]
    })
    return { terms: this.#numeric.built(key), numbers, added }
  }

  /**
   * Returns the terms of the word, or of all words that begin with it, and all terms that contain one of these words,
   * as several lists: words, terms, and both of those that were added since the build. A watch has a word's own term if the word is from its reference.
   */
  termsWithWord(word: string, isPrefix: boolean): (Uint32Array | readonly number[])[] {
    const wanted = wordTerm(word)
    if (!isPrefix) {
      const own = this.find(wanted)
      return own === undefined ? [] : [[own], this.#builtTermsOf(word, own), [], this.owners.added(own)]
    }
    const { words, owners, ownerStarts } = this.#parts
    const start = this.#firstWord(0, (text) => compareTexts(text, wanted) >= 0)
    const end = this.#firstWord(start, (text) => !text.startsWith(wanted))
    const added = [...new Set([...this.words, ...this.owners.addedKeys()])].filter((term) =>
      this.text(term).startsWith(wanted),
    )
    return [
      words.subarray(start, end),
      owners.subarray(ownerStarts[start], ownerStarts[end]),
      added,
      added.flatMap((term) => this.owners.added(term)),
    ]
  }

  /** Returns the terms that contain the word. */
  termsOf(word: string): (Uint32Array | readonly number[])[] {
    const number = this.find(wordTerm(word))
    return number === undefined ? [] : [this.#builtTermsOf(word, number), this.owners.added(number)]
  }

  /** Kept for the words that were asked for last: reading a text and ranking its matches ask several times. */
  #builtTermsOf(word: string, number: number): Uint32Array {
    const known = this.#builtTerms.get(number)
    if (known !== undefined) return known
    const { words, owners, ownerStarts } = this.#parts
    const wanted = wordTerm(word)
    const at = this.#firstWord(0, (text) => compareTexts(text, wanted) >= 0)
    const built = words[at] === number ? owners.subarray(ownerStarts[at], ownerStarts[at + 1]) : noTerms
    if (this.#builtTerms.size === keptWords) this.#builtTerms.clear()
    this.#builtTerms.set(number, built)
    return built
  }

  /** Returns the words that a mistyped word may stand for, those with the fewest mistakes first. */
  similarWords(typed: string, max: number, isPrefix: boolean): SimilarWord[] {
    const textOf = (term: number) => wordOf(this.text(term))
    const added = new Set(Array.from(this.owners.addedKeys(), textOf))
    return findSimilar(this.#parts.spelling, typed, { max, isPrefix }, { textOf, added })
  }

  #firstWord(from: number, isSo: (text: string) => boolean): number {
    const { words } = this.#parts
    return firstWhere(from, words.length, (at) => isSo(this.text(words[at] as number)))
  }

  #insert(terms: Uint32Array, newer: readonly number[]): Uint32Array {
    const merged = new Uint32Array(terms.length + newer.length)
    const sorted = newer
      .map((term) => ({ term, text: this.text(term) }))
      .sort((one, other) => compareTexts(one.text, other.text))
    let start = 0
    sorted.forEach(({ term, text }, at) => {
      const end = firstWhere(
        start,
        terms.length,
        (place) => compareTexts(this.text(terms[place] as number), text) > 0,
      )
      merged.set(terms.subarray(start, end), start + at)
      merged[end + at] = term
      start = end
    })
    merged.set(terms.subarray(start), start + newer.length)
    return merged
  }
}

const noTerms = new Uint32Array()
