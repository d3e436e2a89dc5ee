// Finds the terms of most watches that go on like what somebody is typing: a beginning may have thousands of terms, of which
// only a few are read.
import { foldWords } from '../../specs/fold.ts'
import { collectionKind, valueKind, writtenText } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { firstWhere } from '../sets/first-where.ts'

export interface Typed {
  /** Complete words, then the beginning of the last one. */
  readonly words: readonly string[]
  readonly last: string
}

/** Of the terms that are compared, those of most watches are read. */
const readMax = 64

interface Frequent {
  readonly term: number
  readonly text: string
  readonly count: number
}

/** The terms of most watches that have the first word, whole or not. */
export function frequentTerms({ dictionary, postings }: WatchIndex, { words, last }: Typed) {
  const [first] = words
  const lists =
    first === undefined ? dictionary.termsWithWord(last, true).slice(1) : dictionary.termsOf(first)
  const [collections, values] = [new TopTerms(readMax), new TopTerms(readMax)]
  for (const terms of lists) {
    for (const term of terms) {
      const count = postings.count(term)
      // Most terms have too few watches: what they are need not be read.
      if (count <= values.least && count <= collections.least) continue
      const kind = dictionary.unit(term, 0)
      if (kind === valueKind) values.add(term, count)
      else if (kind === collectionKind) collections.add(term, count)
    }
  }
  return { collections, values }
}

/** Those of the terms that have all words, and one that begins with the last. */
export function termsLike(
  { dictionary }: WatchIndex,
  { words, last }: Typed,
  top: TopTerms,
  max: number,
): Frequent[] {
  const found = new Map<number, Frequent>()
  for (const [term, count] of top.entries()) {
    const text = dictionary.text(term)
    if (!isLike(writtenText(text) ?? '', words, last)) continue
    found.set(term, { term, text, count })
    if (found.size === max) break
  }
  return [...found.values()]
}

/** Keeps the terms with the greatest counts, without an object for each. */
export class TopTerms {
  readonly #max: number
  readonly #terms: number[] = []
  readonly #counts: number[] = []
  /** A term with so many watches or fewer is not kept. */
  least = 0

  constructor(max: number) {
    this.#max = max
  }

  add(term: number, count: number): void {
    const counts = this.#counts
    if (count <= this.least) return
    const at = firstWhere(0, counts.length, (place) => (counts[place] as number) < count)
    counts.splice(at, 0, count)
    this.#terms.splice(at, 0, term)
    counts.length = Math.min(counts.length, this.#max)
    this.#terms.length = counts.length
    if (counts.length === this.#max) this.least = counts.at(-1) as number
  }

  entries(): (readonly [term: number, count: number])[] {
    return this.#terms.map((term, at) => [term, this.#counts[at] as number])
  }
}

/** Whether the text has all words, and one that begins with the last. */
export function isLike(text: string, words: readonly string[], last: string): boolean {
  const known = foldWords(text)
  return words.every((word) => known.includes(word)) && known.some((one) => one.startsWith(last))
}
