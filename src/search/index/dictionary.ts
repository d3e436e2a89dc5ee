// The dictionary of the index: assigns numbers to terms and lists the values of a spec key, the words with a prefix,
// and the terms that contain a word. It is built in a worker thread, passed on as typed arrays and extended in place.
import { foldWords } from '../../specs/fold.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Lists, type ListsParts } from '../sets/number-lists.ts'
import { TermTable, TermTableBuilder, type TermTableParts } from './term-table.ts'
import { type Interning, wordTerm } from './terms.ts'

export interface DictionaryParts {
  readonly terms: TermTableParts
  /** The terms of the spec keys. */
  readonly keys: Uint32Array
  /** The terms of the values of each spec key, and their numbers for range filters; NaN if a value is not a number. */
  readonly values: ListsParts
  readonly numbers: Float64Array
  /** The terms of the words, by the first two characters of the word. */
  readonly buckets: ListsParts
  /** The terms that contain each word: a watch with such a term has the word. */
  readonly owners: ListsParts
}

/** Adds terms, while the dictionary is built and later. */
class Terms<Table extends Pick<TermTable, 'find' | 'add'>> implements Interning {
  /** The terms of every spec key that a watch has, or had since the build. */
  readonly keys: number[]
  protected readonly table: Table
  protected readonly values: Lists
  /** The number of each value added here; a built dictionary has those of the build as well. */
  protected readonly numbers = new Map<number, number>()
  protected readonly buckets: Lists
  protected readonly owners: Lists

  constructor(table: Table, built?: DictionaryParts) {
    this.table = table
    this.keys = Array.from(built?.keys ?? [])
    this.values = new Lists(built?.values)
    this.buckets = new Lists(built?.buckets)
    this.owners = new Lists(built?.owners)
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
    this.numbers.set(term, number)
    return term
  }

  word(word: string): number {
    const text = wordTerm(word)
    const known = this.find(text)
    if (known !== undefined) return known
    const term = this.table.add(text)
    this.buckets.add(bucketOf(word), term)
    return term
  }

  #addWorded(text: string, words: string | undefined): number {
    const term = this.table.add(text)
    if (words !== undefined) for (const word of foldWords(words)) this.owners.add(this.word(word), term)
    return term
  }
}

export class DictionaryBuilder extends Terms<TermTableBuilder> {
  constructor() {
    super(new TermTableBuilder())
  }

  get size(): number {
    return this.table.size
  }

  pack(memory: MemoryBlocks): DictionaryParts {
    const values = this.values.pack(memory)
    const numbers = memory.numbers(values.items.length)
    values.items.forEach((term, at) => {
      numbers[at] = this.numbers.get(term) as number
    })
    return {
      terms: this.table.pack(memory),
      keys: memory.copyOfWords(Uint32Array.from(this.keys)),
      values,
      numbers,
      buckets: this.buckets.pack(memory),
      owners: this.owners.pack(memory),
    }
  }
}

export class Dictionary extends Terms<TermTable> {
  readonly #builtNumbers: Float64Array

  constructor(parts: DictionaryParts) {
    super(new TermTable(parts.terms), parts)
    this.#builtNumbers = parts.numbers
  }

  text(term: number): string {
    return this.table.text(term)
  }

  /** Returns the terms of every value the key has, or had since the build; none if there is no such key. */
  valuesOf(key: number | undefined): number[] {
    return key === undefined ? [] : this.values.get(key)
  }

  /** Returns the terms of the key's values whose number is accepted. */
  valuesWhere(key: number | undefined, accepts: (number: number) => boolean): number[] {
    if (key === undefined) return []
    const { start, end } = this.values.span(key)
    return this.values.get(key).filter((term, at) => {
      const isBuilt = at < end - start
      return accepts((isBuilt ? this.#builtNumbers[start + at] : this.numbers.get(term)) as number)
    })
  }

  /** Returns the terms of the words that begin with the prefix. */
  wordsWith(prefix: string): number[] {
    const first = bucketOf(prefix)
    const last = prefix.length === 1 ? first + 0xff : first
    const text = wordTerm(prefix)
    const found: number[] = []
    for (let bucket = first; bucket <= last; bucket++) {
      for (const term of this.buckets.get(bucket)) if (this.text(term).startsWith(text)) found.push(term)
    }
    return found
  }

  /** Returns the terms that contain the word. Watches may also have the word's own term, from their reference. */
  ownersOf(word: number): number[] {
    return this.owners.get(word)
  }
}

/** Hashes a word by the low bytes of its first two UTF-16 units; the second is zero if the word has only one. */
function bucketOf(word: string): number {
  return ((word.charCodeAt(0) & 0xff) << 8) | (word.length > 1 ? word.charCodeAt(1) & 0xff : 0)
}
