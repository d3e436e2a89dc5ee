// A set of watch ids as a bitmap, with one bit for each id.

const bytesMin = 1 << 16

export class IdSet {
  #bits = new Uint8Array(bytesMin)

  has(id: number): boolean {
    return ((this.#bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0
  }

  add(id: number): void {
    const byte = id >>> 3
    if (byte >= this.#bits.length) {
      this.#bits = new Uint8Array(this.#bits.buffer.transfer(Math.max(byte + 1, this.#bits.length * 2)))
    }
    this.#bits[byte] = (this.#bits[byte] as number) | (1 << (id & 7))
  }

  clear(): void {
    this.#bits.fill(0)
  }
}
