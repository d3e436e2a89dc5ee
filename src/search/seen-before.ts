// In charge of telling what is asked for again from what is asked for once: only the former is worth remembering.
// A table of hashes of fixed size; a newer one takes the place of an older, and now and then two are taken for one.
import { hashText } from './term-table.ts'

const placesMax = 65_536

export class SeenBefore {
  readonly #hashes = new Int32Array(placesMax)

  /** Whether the text was seen lately; from now on it was. */
  note(text: string): boolean {
    const hash = hashText(text)
    const place = hash & (placesMax - 1)
    const isSeen = this.#hashes[place] === hash
    this.#hashes[place] = hash
    return isSeen
  }
}
