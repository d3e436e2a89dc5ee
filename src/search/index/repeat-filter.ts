// In charge of telling what is asked for again from what is asked for once: only the former is worth remembering.
// A table of hashes of fixed size, with two places for each; a newer one takes the place of an older, and now and then
// two are taken for one.
import { hashText } from './term-table.ts'

const places = 2 ** 18

export class RepeatFilter {
  readonly #hashes = new Int32Array(places)
  #isSecondNext = false

  /** Whether the text was seen lately; from now on it was. */
  note(text: string): boolean {
    const hash = hashText(text)
    const first = hash & (places - 1)
    const second = Math.imul(hash, spread) >>> shift
    if (this.#hashes[first] === hash || this.#hashes[second] === hash) return true
    // By turns, so that two which share a place do not drive each other out for ever.
    this.#isSecondNext = !this.#isSecondNext
    this.#hashes[this.#isSecondNext ? second : first] = hash
    return false
  }
}

/** For a second place that has little to do with the first: the upper bits of a product. */
const spread = 0x9e3779b1
const shift = 32 - Math.log2(places)
