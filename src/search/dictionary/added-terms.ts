// Adds terms to the dictionary, while it is built and later: assigns their numbers, and notes which values a spec key
// has and which terms contain a word.
import { foldWords } from '../../specs/fold.ts'
import { Lists, type ListsParts } from '../sets/number-lists.ts'
import type { TermTable } from './term-table.ts'
import { type Interning, wordTerm } from './terms.ts'

export class AddedTerms<Table extends Pick<TermTable, 'find' | 'add'>> implements Interning {
  /** The terms of every spec key that a watch has, or had since the build. */
  readonly keys: number[]
  protected readonly table: Table
  protected readonly values: Lists
  /** What was added here; a built dictionary has that of the build as well. */
  protected readonly numbers = new Map<number, number>()
  protected readonly words: number[] = []
  /** The terms that contain a word, by the term of the word. */
  protected readonly owners = new Lists()

  constructor(table: Table, builtKeys: Iterable<number>, builtValues?: ListsParts) {
    this.table = table
    this.keys = Array.from(builtKeys)
    this.values = new Lists(builtValues)
  }

  find(text: string): number | undefined {
    return this.table.find(text)
  }

  key(text: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const key = this.table.add(text)
    this.keys.push(key)
    return key
  }

  term(text: string, words?: string): number {
    return this.find(text) ?? this.#addWorded(text, words)
  }

  value(key: number, text: string, number = Number.NaN, words?: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const term = this.#addWorded(text, words)
    this.values.add(key, term)
    if (!Number.isNaN(number)) this.numbers.set(term, number)
    return term
  }

  word(word: string): number {
    const text = wordTerm(word)
    const known = this.find(text)
    if (known !== undefined) return known
    const term = this.table.add(text)
    this.words.push(term)
    return term
  }

  #addWorded(text: string, words: string | undefined): number {
    const term = this.table.add(text)
    if (words !== undefined) for (const word of foldWords(words)) this.owners.add(this.word(word), term)
    return term
  }
}
