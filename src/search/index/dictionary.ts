// The dictionary of the index: assigns numbers to terms and lists the values of a spec key, the words with a prefix,
// and the terms that contain a word. It is built in a worker thread, passed on as typed arrays and extended in place.
import { foldWords } from '../../specs/fold.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Lists, type ListsParts, packLists } from '../sets/number-lists.ts'
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

abstract class Terms implements Interning {
  abstract find(text: string): number | undefined
  protected abstract add(text: string): number
  protected abstract addKey(key: number): void
  protected abstract addValue(key: number, term: number, number: number): void
  protected abstract addWord(bucket: number, term: number): void
  protected abstract addOwner(word: number, term: number): void

  key(text: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const key = this.add(text)
    this.addKey(key)
    return key
  }

  term(text: string, words?: string): number {
    return this.find(text) ?? this.#addWorded(text, words)
  }

  value(key: number, text: string, number = Number.NaN, words?: string): number {
    const known = this.find(text)
    if (known !== undefined) return known
    const term = this.#addWorded(text, words)
    this.addValue(key, term, number)
    return term
  }

  word(word: string): number {
    const text = wordTerm(word)
    const known = this.find(text)
    if (known !== undefined) return known
    const term = this.add(text)
    this.addWord(bucketOf(word), term)
    return term
  }

  #addWorded(text: string, words: string | undefined): number {
    const term = this.add(text)
    if (words !== undefined) for (const word of foldWords(words)) this.addOwner(this.word(word), term)
    return term
  }
}

export class DictionaryBuilder extends Terms {
  readonly #table = new TermTableBuilder()
  readonly #keys: number[] = []
  readonly #values = new Map<number, number[]>()
  readonly #numbers = new Map<number, number>()
  readonly #words = new Map<number, number[]>()
  readonly #owners = new Map<number, number[]>()

  get size(): number {
    return this.#table.size
  }

  override find(text: string): number | undefined {
    return this.#table.find(text)
  }

  pack(memory: MemoryBlocks): DictionaryParts {
    const values = packLists(memory, this.#values)
    const numbers = memory.numbers(values.items.length)
    values.items.forEach((term, at) => {
      numbers[at] = this.#numbers.get(term) as number
    })
    return {
      terms: this.#table.pack(memory),
      keys: memory.copyOfWords(Uint32Array.from(this.#keys)),
      values,
      numbers,
      buckets: packLists(memory, this.#words),
      owners: packLists(memory, this.#owners),
    }
  }

  protected override add(text: string): number {
    return this.#table.add(text)
  }

  protected override addKey(key: number): void {
    this.#keys.push(key)
  }

  protected override addValue(key: number, term: number, number: number): void {
    pushTo(this.#values, key, term)
    this.#numbers.set(term, number)
  }

  protected override addWord(bucket: number, term: number): void {
    pushTo(this.#words, bucket, term)
  }

  protected override addOwner(word: number, term: number): void {
    pushTo(this.#owners, word, term)
  }
}

export class Dictionary extends Terms {
  readonly #table: TermTable
  readonly #keys: number[]
  readonly #values: Lists
  readonly #builtNumbers: Float64Array
  readonly #addedNumbers = new Map<number, number>()
  readonly #buckets: Lists
  readonly #owners: Lists

  constructor({ terms, keys, values, numbers, buckets, owners }: DictionaryParts) {
    super()
    this.#keys = Array.from(keys)
    this.#table = new TermTable(terms)
    this.#values = new Lists(values)
    this.#builtNumbers = numbers
    this.#buckets = new Lists(buckets)
    this.#owners = new Lists(owners)
  }

  override find(text: string): number | undefined {
    return this.#table.find(text)
  }

  text(term: number): string {
    return this.#table.text(term)
  }

  /** The terms of every spec key that a watch has, or had since the build. */
  get keys(): readonly number[] {
    return this.#keys
  }

  /** Returns the terms of every value the key has, or had since the build. */
  valuesOf(key: number): number[] {
    return this.#values.get(key)
  }

  /** Returns the terms of the key's values whose number is accepted. */
  valuesWhere(key: number, accepts: (number: number) => boolean): number[] {
    const { start, end } = this.#values.span(key)
    const built = this.#values.get(key).slice(0, end - start)
    const added = this.#values.get(key).slice(end - start)
    return [
      ...built.filter((_, at) => accepts(this.#builtNumbers[start + at] as number)),
      ...added.filter((term) => accepts(this.#addedNumbers.get(term) as number)),
    ]
  }

  /** Returns the terms of the words that begin with the prefix. */
  wordsWith(prefix: string): number[] {
    const first = bucketOf(prefix)
    const last = prefix.length === 1 ? first + 0xff : first
    const text = wordTerm(prefix)
    const found: number[] = []
    for (let bucket = first; bucket <= last; bucket++) {
      for (const term of this.#buckets.get(bucket)) if (this.text(term).startsWith(text)) found.push(term)
    }
    return found
  }

  /** Returns the terms that contain the word. Watches may also have the word's own term, from their reference. */
  ownersOf(word: number): number[] {
    return this.#owners.get(word)
  }

  protected override add(text: string): number {
    return this.#table.add(text)
  }

  protected override addKey(key: number): void {
    this.#keys.push(key)
  }

  protected override addValue(key: number, term: number, number: number): void {
    this.#values.add(key, term)
    this.#addedNumbers.set(term, number)
  }

  protected override addWord(bucket: number, term: number): void {
    this.#buckets.add(bucket, term)
  }

  protected override addOwner(word: number, term: number): void {
    this.#owners.add(word, term)
  }
}

/** Hashes a word by the low bytes of its first two UTF-16 units; the second is zero if the word has only one. */
function bucketOf(word: string): number {
  return ((word.charCodeAt(0) & 0xff) << 8) | (word.length > 1 ? word.charCodeAt(1) & 0xff : 0)
}

function pushTo(lists: Map<number, number[]>, key: number, item: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}
