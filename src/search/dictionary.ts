// In charge of the terms there are, and of the two ways to go through them: the values of a spec key, and the words
// that begin with some letters. Built aside, handed over as typed arrays, added to in place.
import { packTerms, TermTable, type TermTableParts } from './term-table.ts'
import { wordTerm } from './terms.ts'

export interface DictionaryParts {
  readonly terms: TermTableParts
  /** Terms of the spec keys in rising order; the values of each lie between its start and the next. */
  readonly keys: Uint32Array
  readonly keyStarts: Uint32Array
  readonly values: Uint32Array
  /** What each value is as a number, for ranges; NaN where it is none. */
  readonly numbers: Float64Array
  /** Words by their first two characters. */
  readonly bucketStarts: Uint32Array
  readonly words: Uint32Array
}

export interface Value {
  readonly term: number
  readonly number: number
}

/** Takes what a watch has, and gives each its number. */
export interface Interning {
  term(text: string): number
  value(key: number, text: string, number: number | undefined): number
  word(word: string): number
}

const bucketCount = 65_536

export class DictionaryBuilder implements Interning {
  readonly #terms = new Map<string, number>()
  readonly #values = new Map<number, Value[]>()
  readonly #words: number[] = []
  readonly #buckets: number[] = []

  get size(): number {
    return this.#terms.size
  }

  term(text: string): number {
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    this.#terms.set(text, this.#terms.size)
    return this.#terms.size - 1
  }

  value(key: number, text: string, number = Number.NaN): number {
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    const term = this.term(text)
    const values = this.#values.get(key)
    if (values === undefined) this.#values.set(key, [{ term, number }])
    else values.push({ term, number })
    return term
  }

  word(word: string): number {
    const text = wordTerm(word)
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    const term = this.term(text)
    this.#words.push(term)
    this.#buckets.push(bucketOf(word))
    return term
  }

  pack(): DictionaryParts {
    const keys = sharedWords([...this.#values.keys()].sort((one, other) => one - other))
    const all = [...keys].map((key) => this.#values.get(key) as Value[])
    const keyStarts = new Uint32Array(new SharedArrayBuffer((keys.length + 1) * 4))
    all.forEach((values, at) => {
      keyStarts[at + 1] = (keyStarts[at] as number) + values.length
    })
    const flat = all.flat()
    const numbers = new Float64Array(new SharedArrayBuffer(flat.length * 8))
    numbers.set(flat.map(({ number }) => number))
    return {
      terms: packTerms(this.#terms.keys(), this.#terms.size),
      keys,
      keyStarts,
      values: sharedWords(flat.map(({ term }) => term)),
      numbers,
      ...this.#packWords(),
    }
  }

  #packWords(): Pick<DictionaryParts, 'bucketStarts' | 'words'> {
    const bucketStarts = new Uint32Array(new SharedArrayBuffer((bucketCount + 1) * 4))
    for (const bucket of this.#buckets) bucketStarts[bucket + 1] = (bucketStarts[bucket + 1] as number) + 1
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      bucketStarts[bucket + 1] = (bucketStarts[bucket + 1] as number) + (bucketStarts[bucket] as number)
    }
    const words = new Uint32Array(new SharedArrayBuffer(this.#words.length * 4))
    const next = bucketStarts.slice()
    this.#words.forEach((term, at) => {
      const bucket = this.#buckets[at] as number
      words[next[bucket] as number] = term
      next[bucket] = (next[bucket] as number) + 1
    })
    return { bucketStarts, words }
  }
}

export class Dictionary implements Interning {
  readonly #parts: DictionaryParts
  readonly #table: TermTable
  readonly #addedValues = new Map<number, Value[]>()
  readonly #addedWords = new Map<number, number[]>()
  readonly #addedKeys: number[] = []

  constructor(parts: DictionaryParts) {
    this.#parts = parts
    this.#table = new TermTable(parts.terms)
  }

  find(text: string): number | undefined {
    return this.#table.find(text)
  }

  text(term: number): string {
    return this.#table.text(term)
  }

  term(text: string): number {
    return this.#table.find(text) ?? this.#table.add(text)
  }

  value(key: number, text: string, number = Number.NaN): number {
    const known = this.#table.find(text)
    if (known !== undefined) return known
    const term = this.#table.add(text)
    const values = this.#addedValues.get(key)
    if (values !== undefined) values.push({ term, number })
    else {
      this.#addedValues.set(key, [{ term, number }])
      if (this.#keyAt(key) === undefined) this.#addedKeys.push(key)
    }
    return term
  }

  word(word: string): number {
    const text = wordTerm(word)
    const known = this.#table.find(text)
    if (known !== undefined) return known
    const term = this.#table.add(text)
    const bucket = bucketOf(word)
    this.#addedWords.set(bucket, [...(this.#addedWords.get(bucket) ?? []), term])
    return term
  }

  /** The terms of everything that has, or had, values: spec keys, brands, the field of collections. */
  *keys(): Generator<number> {
    yield* this.#parts.keys
    yield* this.#addedKeys
  }

  /** Every value the key has, or had. */
  *valuesOf(key: number): Generator<Value> {
    const at = this.#keyAt(key)
    if (at !== undefined) {
      const end = this.#parts.keyStarts[at + 1] as number
      for (let index = this.#parts.keyStarts[at] as number; index < end; index++) {
        yield { term: this.#parts.values[index] as number, number: this.#parts.numbers[index] as number }
      }
    }
    yield* this.#addedValues.get(key) ?? []
  }

  /** The terms of the words that begin with these letters. */
  wordsWith(prefix: string): number[] {
    const first = bucketOf(prefix)
    const last = prefix.length === 1 ? first + 0xff : first
    const start = this.#parts.bucketStarts[first] as number
    const end = this.#parts.bucketStarts[last + 1] as number
    const text = wordTerm(prefix)
    const found: number[] = []
    const look = (term: number) => {
      if (this.#table.text(term).startsWith(text)) found.push(term)
    }
    for (let index = start; index < end; index++) look(this.#parts.words[index] as number)
    if (this.#addedWords.size > 0) {
      for (let bucket = first; bucket <= last; bucket++) this.#addedWords.get(bucket)?.forEach(look)
    }
    return found
  }

  #keyAt(key: number): number | undefined {
    const { keys } = this.#parts
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((keys[middle] as number) < key) low = middle + 1
      else high = middle
    }
    return keys[low] === key ? low : undefined
  }
}

/** By the low bytes of the first two units of UTF-16; a word of one has zero for the second. */
function bucketOf(word: string): number {
  return ((word.charCodeAt(0) & 0xff) << 8) | (word.length > 1 ? word.charCodeAt(1) & 0xff : 0)
}

function sharedWords(from: readonly number[]): Uint32Array {
  const words = new Uint32Array(new SharedArrayBuffer(from.length * 4))
  words.set(from)
  return words
}
