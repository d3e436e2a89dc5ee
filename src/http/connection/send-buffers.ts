// Lends memory for the responses that are being sent. A new buffer for each would be memory outside the heap, which
// the garbage collector frees late and in large steps.

export interface Lent {
  readonly bytes: Buffer
  /** Call it once the bytes are sent. */
  readonly giveBack: () => void
}

/** Enough for nearly every compressed response. */
const bufferBytes = 64 * 1_024
/** How many are kept; while more responses are being sent, they get memory of their own. */
const buffersMax = 64

export class SendBuffers {
  /** The last one given back is lent first, so it is still in the processor's cache. */
  readonly #free: Buffer[] = []
  #made = 0

  take(length: number): Lent {
    const buffer = length > bufferBytes ? undefined : (this.#free.pop() ?? this.#make())
    if (buffer === undefined) return { bytes: Buffer.allocUnsafe(length), giveBack: () => {} }
    return { bytes: buffer.subarray(0, length), giveBack: () => void this.#free.push(buffer) }
  }

  #make(): Buffer | undefined {
    if (this.#made === buffersMax) return undefined
    this.#made++
    return Buffer.allocUnsafeSlow(bufferBytes)
  }
}
