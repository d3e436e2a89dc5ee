// Assigns a number to every term, the texts by which watches are found. It is a hash table in typed arrays, which pass
// between threads at once. A Map of a million strings would take a second to pass, and the garbage collector would
// have to traverse it.
import type { MemoryBlocks } from '../sets/memory-blocks.ts'

export interface TermTableParts {
  /** The texts, concatenated. Each is a byte for its encoding, then the encoded characters. */
  readonly texts: Uint8Array
  readonly starts: Uint32Array
  /** Open addressing: the number of the term + 1, or 0 for an empty slot. */
  readonly places: Int32Array
}

const latin1 = 0
const utf16 = 1
/** The minimum number of slots per term. Empty slots keep searches short. */
const placesPerTerm = 1.5

/** A table that grows while the index is built. */
export class TermTableBuilder {
  #texts = Buffer.allocUnsafeSlow(64 * 1024)
  #starts = new Uint32Array(1024)
  #hashes = new Int32Array(1024)
  #places = new Int32Array(2048)
  #size = 0

  get size(): number {
    return this.#size
  }

  find(term: string): number | undefined {
    const hash = hashText(term)
    const mask = this.#places.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = (this.#places[at] as number) - 1
      if (number === -1) return undefined
      if (this.#hashes[number] === hash && textAt(this.#texts, this.#starts, number) === term) return number
    }
  }

  /** The term must be new. */
  add(term: string): number {
    const number = this.#size++
    const end = this.#starts[number] as number
    this.#makeRoom(end + 1 + term.length * 2)
    const isLatin1 = hasOnlyLatin1(term)
    this.#texts[end] = isLatin1 ? latin1 : utf16
    this.#starts[number + 1] = end + 1 + this.#texts.write(term, end + 1, isLatin1 ? 'latin1' : 'ucs2')
    this.#hashes[number] = hashText(term)
    place(this.#places, this.#hashes, number)
    return number
  }

  text(number: number): string {
    return textAt(this.#texts, this.#starts, number)
  }

  pack(memory: MemoryBlocks): TermTableParts {
    const count = this.#size
    const starts = memory.copyOfWords(this.#starts.subarray(0, count + 1))
    const texts = memory.bytes(starts[count] as number)
    texts.set(this.#texts.subarray(0, starts[count]))
    const places = memory.integers(this.#places.length)
    places.set(this.#places)
    return { texts, starts, places }
  }

  #makeRoom(textBytes: number): void {
    if (textBytes > this.#texts.length) {
      this.#texts = Buffer.concat([this.#texts], Math.max(textBytes, this.#texts.length * 2))
    }
    if (this.#size + 1 > this.#starts.length - 1) {
      this.#starts = twice(this.#starts)
      this.#hashes = twice(this.#hashes)
    }
    if (this.#size * placesPerTerm > this.#places.length) {
      this.#places = new Int32Array(this.#places.length * 2)
      for (let number = 0; number < this.#size - 1; number++) place(this.#places, this.#hashes, number)
    }
  }
}

export class TermTable {
  readonly #texts: Buffer
  readonly #starts: Uint32Array
  readonly #places: Int32Array
  readonly #added = new Map<string, number>()
  readonly #addedTexts: string[] = []

  constructor({ texts, starts, places }: TermTableParts) {
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
    this.#starts = starts
    this.#places = places
  }

  find(term: string): number | undefined {
    const mask = this.#places.length - 1
    for (let at = hashText(term) & mask; ; at = (at + 1) & mask) {
      const number = (this.#places[at] as number) - 1
      if (number === -1) return this.#added.get(term)
      if (this.#isText(number, term)) return number
    }
  }

  /** Compares without decoding the text if it is Latin-1, as nearly all are: that costs several times as much. */
  #isText(number: number, term: string): boolean {
    const texts = this.#texts
    const start = this.#starts[number] as number
    if (texts[start] !== latin1) return textAt(texts, this.#starts, number) === term
    if ((this.#starts[number + 1] as number) - start - 1 !== term.length) return false
    for (let at = 0; at < term.length; at++) {
      if (texts[start + 1 + at] !== term.charCodeAt(at)) return false
    }
    return true
  }

  /** The term must be new. */
  add(term: string): number {
    const number = this.#starts.length - 1 + this.#addedTexts.length
    this.#added.set(term, number)
    this.#addedTexts.push(term)
    return number
  }

  /** Returns the UTF-16 unit at a position of the text, without decoding the text if it is Latin-1. */
  unit(number: number, at: number): number {
    const built = this.#starts.length - 1
    const start = this.#starts[number] as number
    const isLatin1 = number < built && this.#texts[start] === latin1
    return isLatin1 ? (this.#texts[start + 1 + at] as number) : this.text(number).charCodeAt(at)
  }

  text(number: number): string {
    const built = this.#starts.length - 1
    if (number >= built) return this.#addedTexts[number - built] as string
    return textAt(this.#texts, this.#starts, number)
  }
}

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let sum = fnvStart
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), fnvPrime)
  return mixHash(sum)
}

export const fnvStart = 0x811c9dc5
export const fnvPrime = 0x01000193

/** Mixes high bits into the low bits, which select the slot: else the last character would dominate them. */
export function mixHash(sum: number): number {
  return sum ^ (sum >>> 15)
}

function textAt(texts: Buffer, starts: Uint32Array, number: number): string {
  const start = (starts[number] as number) + 1
  return texts.toString(texts[start - 1] === latin1 ? 'latin1' : 'ucs2', start, starts[number + 1])
}

/** Writes number + 1 into the first empty slot at or after that of its hash; 0 marks an empty slot. */
export function place(places: Int32Array, hashes: Int32Array, number: number): void {
  const mask = places.length - 1
  let at = (hashes[number] as number) & mask
  while (places[at] !== 0) at = (at + 1) & mask
  places[at] = number + 1
}

export function twice<T extends Uint32Array | Int32Array>(words: T): T {
  const larger = new (words.constructor as new (length: number) => T)(words.length * 2)
  larger.set(words)
  return larger
}

function hasOnlyLatin1(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0xff) return false
  return true
}
