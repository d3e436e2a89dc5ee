// In charge of checking the runs in a page of Parquet, by which levels and the numbers of values in a dictionary are
// written: together they must be as many as the page has values.

/** A run may be filled up to the next eight values, and some programs fill up 63 times as many. */
const fillingMax = 512
const indexBitsMax = 32

export class Runs {
  readonly #bytes: Uint8Array
  readonly #count: number
  #at = 0

  /** `count` is how many values the page says it has. */
  constructor(bytes: Uint8Array, count: number) {
    this.#bytes = bytes
    this.#count = count
  }

  /** Behind four bytes that tell their length. */
  checkPrefixed(highest: number): void {
    if (this.#at + 4 > this.#bytes.length) throw new Error('a page is too short')
    const length = new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getUint32(this.#at, true)
    this.#at += 4
    this.checkLevels(highest, length)
  }

  checkLevels(highest: number, length: number): void {
    const end = this.#at + length
    if (!(length >= 0 && end <= this.#bytes.length)) throw new Error('a page is too short')
    if (highest > 0) this.#check(32 - Math.clz32(highest), end)
    this.#at = end
  }

  /** Behind a byte that tells how many bits each has. */
  checkIndexes(): void {
    const bits = this.#bytes[this.#at++] ?? 0
    if (bits > indexBitsMax) throw new Error('a page has wrong indexes')
    this.#check(bits, this.#bytes.length)
  }

  #check(bits: number, end: number): void {
    let at = this.#at
    let seen = 0
    while (seen < this.#count && at < end) {
      let header = 0
      let byte = 0x80
      for (let shift = 0; byte >= 0x80; shift += 7) {
        byte = this.#bytes[at++] ?? 0
        header += (byte & 0x7f) * 2 ** shift
      }
      const isPacked = header % 2 === 1
      const length = Math.floor(header / 2)
      seen += isPacked ? length * 8 : length
      at += isPacked ? length * bits : Math.ceil(bits / 8)
      if (!(seen <= this.#count + fillingMax)) throw new Error('a page has more values than it says')
    }
  }
}
