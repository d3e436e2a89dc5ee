// Tells whether a text was seen before, so that only repeated queries are cached. It is a fixed-size table of hashes
// with two candidate slots per hash. New hashes overwrite old ones, and a hash collision counts as a repeat.
import { hashQuickly } from './quick-hash.ts'

const places = 2 ** 18

export class RepeatFilter {
  readonly #hashes = new Int32Array(places)
  #isSecondNext = false

  /** Returns whether the text was seen recently, and records it. */
  note(text: string): boolean {
    const hash = hashQuickly(text)
    const first = hash & (places - 1)
    const second = Math.imul(hash, spread) >>> shift
    if (this.#hashes[first] === hash || this.#hashes[second] === hash) return true
    // Alternate between the slots, so that two texts that share one do not keep evicting each other.
    this.#isSecondNext = !this.#isSecondNext
    this.#hashes[this.#isSecondNext ? second : first] = hash
    return false
  }
}

/** The second slot is the upper bits of a product, so that it is nearly independent of the first. */
const spread = 0x9e3779b1
const shift = 32 - Math.log2(places)
