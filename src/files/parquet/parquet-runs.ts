// Checks the runs in a Parquet page, which encode levels and dictionary indexes: their lengths must add up to the
// number of values of the page.

/** A run may be padded to a multiple of eight values, and some programs pad 63 times as many. */
const fillingMax = 512
const indexBitsMax = 32

export class Runs {
  readonly #bytes: Uint8Array
  readonly #count: number
  #at = 0

  /** `count` is the number of values that the page claims to have. */
  constructor(bytes: Uint8Array, count: number) {
    this.#bytes = bytes
    this.#count = count
  }

  /** Checks levels that follow a four-byte length. */
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

  /** Checks dictionary indexes that follow a byte with their bit width. */
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
