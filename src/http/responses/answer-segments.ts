// The memory of the cached answers: segments of equal size, in which answers lie one behind the other. With a buffer of
// its own for each, answers of all sizes that come and go leave holes in the memory of the process, which took half as
// much again as the answers.

const segmentBytesMax = 256 * 1024 - 64
/** A small cache has small segments, so that it does not lose a large part of itself at once. */
const segmentsMin = 128
/** Answers that take more of a segment than this get a segment of their own, so that the ends left free are small. */
const largeShare = 1 / 4
/** An answer without bytes, a 304, takes no room: without a limit, one segment would have thousands of them. */
const entriesMax = 512
/** That many free segments are not counted: evicting an answer and caching another needs one or two. */
const uncountedMax = 4
const noBytes = Buffer.alloc(0)

export class Segment<Entry> {
  readonly memory: Buffer
  readonly entries: Entry[] = []
  /** Where the next answer begins. */
  end = 0
  /** When one of its answers was last found, in lookups of the cache. */
  usedAt = 0

  constructor(memory: Buffer) {
    this.memory = memory
  }

  hasRoom(length: number): boolean {
    return this.end + length <= this.memory.length && this.entries.length < entriesMax
  }
}

export class SegmentMemory {
  readonly #segmentBytes: number
  readonly #free: Buffer[] = []

  /** `maxBytes` of all segments together. */
  constructor(maxBytes: number) {
    this.#segmentBytes = Math.min(segmentBytesMax, Math.floor(maxBytes / segmentsMin))
  }

  /** The bytes of free segments, as many as there are after the catalogue has changed. */
  get freeBytes(): number {
    return Math.max(0, this.#free.length - uncountedMax) * this.#segmentBytes
  }

  isLarge(length: number): boolean {
    return length > this.#segmentBytes * largeShare
  }

  /** A segment in which answers without bytes are listed has no memory. */
  take<Entry>(length: number): Segment<Entry> {
    if (length === 0) return new Segment(noBytes)
    if (this.isLarge(length)) return new Segment(Buffer.allocUnsafeSlow(length))
    return new Segment(this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#segmentBytes))
  }

  /** Nobody may read the segment any more: the next one is written over it. */
  giveBack({ memory }: Segment<unknown>): void {
    if (memory.length === this.#segmentBytes && memory.length > 0) this.#free.push(memory)
  }

  /** Returns the memory of a free segment to the system. */
  release(): void {
    this.#free.pop()
  }
}
