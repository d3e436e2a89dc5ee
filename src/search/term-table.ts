// In charge of the numbers of terms: every text a watch can be found by has one. Built as a Map, handed to another
// thread as a hash table of typed arrays, because a million strings would take that thread a second to receive.

export interface TermTableParts {
  /** The texts one after the other: a byte that says how, then the characters. */
  readonly texts: Uint8Array
  readonly starts: Uint32Array
  /** Open addressing: number + 1, or 0 where there is none. */
  readonly places: Int32Array
}

const latin1 = 0
const utf16 = 1
/** Places per term; the rest stays empty, so that a search ends soon. */
const placesPerTerm = 1.5

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

  /** One more than the highest number. */
  get size(): number {
    return this.#starts.length - 1 + this.#addedTexts.length
  }

  find(term: string): number | undefined {
    const mask = this.#places.length - 1
    for (let at = hash(term) & mask; ; at = (at + 1) & mask) {
      const place = this.#places[at] as number
      if (place === 0) return this.#added.get(term)
      if (this.text(place - 1) === term) return place - 1
    }
  }

  add(term: string): number {
    const number = this.size
    this.#added.set(term, number)
    this.#addedTexts.push(term)
    return number
  }

  text(number: number): string {
    const built = this.#starts.length - 1
    if (number >= built) return this.#addedTexts[number - built] as string
    const start = (this.#starts[number] as number) + 1
    const end = this.#starts[number + 1] as number
    return this.#texts[start - 1] === latin1
      ? this.#texts.toString('latin1', start, end)
      : this.#texts.toString('ucs2', start, end)
  }
}

/** The table of these terms; the position of each is its number. */
export function packTerms(terms: Iterable<string>, count: number): TermTableParts {
  const starts = new Uint32Array(new SharedArrayBuffer((count + 1) * 4))
  let placeCount = 16
  while (placeCount < count * placesPerTerm) placeCount *= 2
  const places = new Int32Array(new SharedArrayBuffer(placeCount * 4))
  let texts = Buffer.allocUnsafeSlow(1024 + count * 16)
  let end = 0
  let number = 0
  for (const term of terms) {
    if (end + 1 + term.length * 2 > texts.length) {
      texts = Buffer.concat([texts.subarray(0, end)], Math.max(texts.length * 2, end + term.length * 4))
    }
    const isLatin1 = hasOnlyLatin1(term)
    texts[end] = isLatin1 ? latin1 : utf16
    end += 1 + texts.write(term, end + 1, isLatin1 ? 'latin1' : 'ucs2')
    let at = hash(term) & (placeCount - 1)
    while (places[at] !== 0) at = (at + 1) & (placeCount - 1)
    places[at] = ++number
    starts[number] = end
  }
  const shared = new Uint8Array(new SharedArrayBuffer(end))
  shared.set(texts.subarray(0, end))
  return { texts: shared, starts, places }
}

function hasOnlyLatin1(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0xff) return false
  return true
}

/** FNV-1a over the units of UTF-16. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  // The low bits decide the place, and the last character must not decide them alone.
  return sum ^ (sum >>> 15)
}
