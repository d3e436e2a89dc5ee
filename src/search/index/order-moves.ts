// Lists for the changes of an order, which has hundreds of thousands of them after an import: arrays of numbers instead of
// an object for each, which the garbage collector would have to follow.

/** The watches that have changed since the order was settled. */
export class MovedWatches {
  /** For each watch, in the order of their first changes. */
  readonly ordinals: number[] = []
  /** The stored number by which the watch is still sorted. */
  readonly numbers: number[] = []
  /** Whether the watch is not in the order yet. */
  readonly isNew: boolean[] = []
  /** One bit for each ordinal: whether the watch is among these. */
  readonly #members: Uint32Array

  constructor(capacity: number) {
    this.#members = new Uint32Array(Math.ceil(capacity / 32))
  }

  get count(): number {
    return this.ordinals.length
  }

  /** Returns the indexes of those for which `isSo` holds. */
  filter(isSo: (index: number) => boolean): number[] {
    const indexes: number[] = []
    for (let at = 0; at < this.ordinals.length; at++) if (isSo(at)) indexes.push(at)
    return indexes
  }

  add(ordinal: number, number: number, isNew: boolean): void {
    const [word, bit] = [ordinal >>> 5, 1 << (ordinal & 31)]
    const members = this.#members[word] as number
    if ((members & bit) !== 0) return
    this.#members[word] = members | bit
    this.ordinals.push(ordinal)
    this.numbers.push(number)
    this.isNew.push(isNew)
  }

  /** Swaps the numbers of the watches in the column with those by which they are still sorted. */
  exchange(column: Float64Array): void {
    for (let at = 0; at < this.ordinals.length; at++) {
      if (this.isNew[at]) continue
      const ordinal = this.ordinals[at] as number
      const number = column[ordinal] as number
      column[ordinal] = this.numbers[at] as number
      this.numbers[at] = number
    }
  }

  clear(): void {
    for (const ordinal of this.ordinals) this.#members[ordinal >>> 5] = 0
    this.ordinals.length = 0
    this.numbers.length = 0
    this.isNew.length = 0
  }
}

const wordsPerBlock = 3

/** The parts of a list that stay together while others leave or enter it, in ascending order. */
export class Blocks {
  /** Start, end and shift of each. */
  readonly #words: Int32Array
  #length = 0

  constructor(countMax: number) {
    this.#words = new Int32Array(countMax * wordsPerBlock)
  }

  add(start: number, end: number, shift: number): void {
    this.#words[this.#length++] = start
    this.#words[this.#length++] = end
    this.#words[this.#length++] = shift
  }

  /** Calls `copy` in an order in which no block overwrites another one that has yet to be copied. */
  copy(copy: (start: number, end: number, shift: number) => void): void {
    for (let at = 0; at < this.#length; at += wordsPerBlock) if (this.#shift(at) < 0) this.#copy(at, copy)
    for (let at = this.#length - wordsPerBlock; at >= 0; at -= wordsPerBlock)
      if (this.#shift(at) > 0) this.#copy(at, copy)
  }

  #shift(at: number): number {
    return this.#words[at + 2] as number
  }

  #copy(at: number, copy: (start: number, end: number, shift: number) => void): void {
    copy(this.#words[at] as number, this.#words[at + 1] as number, this.#shift(at))
  }
}
