// Allocates the typed arrays of an index from large blocks of shared memory. Small allocations would come from the
// general heap and leave it fragmented after a build. The first block is small, which is enough for a small catalogue:
// V8 pauses for garbage collection when a large block is allocated.

const blockBytes = 64 * 1024 * 1024
const firstBlockBytes = 1024 * 1024
const alignment = 16

export class MemoryBlocks {
  #block = new SharedArrayBuffer(0)
  #end = 0

  words(length: number): Uint32Array {
    return new Uint32Array(...this.#take(length * 4), length)
  }

  integers(length: number): Int32Array {
    return new Int32Array(...this.#take(length * 4), length)
  }

  numbers(length: number): Float64Array {
    return new Float64Array(...this.#take(length * 8), length)
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(...this.#take(length), length)
  }

  copyOfWords(words: Uint32Array): Uint32Array {
    const copy = this.words(words.length)
    copy.set(words)
    return copy
  }

  #take(bytes: number): [block: SharedArrayBuffer, start: number] {
    if (bytes > blockBytes / 2) return [new SharedArrayBuffer(bytes), 0]
    if (this.#end + bytes > this.#block.byteLength) {
      const isFirst = this.#block.byteLength === 0 && bytes <= firstBlockBytes
      this.#block = new SharedArrayBuffer(isFirst ? firstBlockBytes : blockBytes)
      this.#end = 0
    }
    const start = this.#end
    this.#end = Math.ceil((start + bytes) / alignment) * alignment
    return [this.#block, start]
  }
}
