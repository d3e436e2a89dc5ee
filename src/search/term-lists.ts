// In charge of the terms of every watch while the index is built: one long list in chunks, watch after watch, from
// which the sets of each term are then counted and filled without an array for each of a million terms.

const chunkLength = 4 * 1024 * 1024

export class TermLists {
  readonly #chunks: Uint32Array[] = []
  /** Where the list of each watch ends. */
  readonly #ends: number[] = []
  /** For each term the last watch that had it, + 1: a term counts once a watch. */
  #lastSeen = new Uint32Array(1024)
  #length = 0

  /** The terms of the next watch. */
  add(terms: readonly number[]): void {
    const mark = this.#ends.length + 1
    for (const term of terms) {
      if (term >= this.#lastSeen.length) this.#growSeen(term)
      if (this.#lastSeen[term] === mark) continue
      this.#lastSeen[term] = mark
      this.#push(term)
    }
    this.#ends.push(this.#length)
  }

  countTerms(termCount: number): Uint32Array {
    const counts = new Uint32Array(new SharedArrayBuffer(termCount * 4))
    this.forEach((term) => {
      counts[term] = (counts[term] as number) + 1
    })
    return counts
  }

  forEach(visit: (term: number, ordinal: number) => void): void {
    let at = 0
    this.#ends.forEach((end, ordinal) => {
      for (; at < end; at++) {
        visit((this.#chunks[Math.floor(at / chunkLength)] as Uint32Array)[at % chunkLength] as number, ordinal)
      }
    })
  }

  #push(term: number): void {
    const at = this.#length++ % chunkLength
    if (at === 0) this.#chunks.push(new Uint32Array(chunkLength))
    ;(this.#chunks.at(-1) as Uint32Array)[at] = term
  }

  #growSeen(term: number): void {
    const larger = new Uint32Array(Math.max(term + 1, this.#lastSeen.length * 2))
    larger.set(this.#lastSeen)
    this.#lastSeen = larger
  }
}
