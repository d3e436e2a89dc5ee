// In charge of the watches as the bytes the API sends: written once, when a watch is indexed, and copied into
// answers from then on. They lie in segments of shared memory, each row at a multiple of eight bytes.
import type { WatchJson } from '../catalogue/watches.ts'
import type { MemoryBlocks } from './memory-blocks.ts'

export interface RowsParts {
  readonly segments: readonly (SharedArrayBuffer | undefined)[]
  /** Where in the last segment there is room. */
  readonly end: number
  /** For each watch, where its row begins, in units of eight bytes over all segments. */
  readonly at: Uint32Array
  readonly lengths: Uint32Array
  readonly wasted: number
}

export interface ByteRange {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** As large as the blocks of MemoryBlocks, and for the same reason. */
const segmentBytes = 64 * 1024 * 1024
const unitBytes = 8
const segmentUnits = segmentBytes / unitBytes
/** A character takes at most three bytes of UTF-8 for each unit of UTF-16. */
const bytesPerUnit = 3

/** In a text of JSON quotation marks are escaped: only the names of fields look so. */
const referenceOpen = Buffer.from('"reference_number":')
const referenceClose = Buffer.from(',"retail_price_usd":')

export class Rows {
  /** A row larger than a segment has one of its own, which counts as several: the places between are empty. */
  readonly #segments: (Buffer | undefined)[]
  #end: number
  readonly #at: Uint32Array
  readonly #lengths: Uint32Array
  #wasted: number
  #bytes = 0

  constructor({ segments, end, at, lengths, wasted }: RowsParts) {
    this.#segments = segments.map((segment) => (segment === undefined ? undefined : Buffer.from(segment)))
    this.#end = end
    this.#at = at
    this.#lengths = lengths
    this.#wasted = wasted
    for (const length of lengths) this.#bytes += length
  }

  static create(memory: MemoryBlocks, capacity: number): Rows {
    const [at, lengths] = [memory.words(capacity), memory.words(capacity)]
    return new Rows({ segments: [], end: segmentBytes, at, lengths, wasted: 0 })
  }

  get parts(): RowsParts {
    return {
      segments: this.#segments.map((segment) => segment?.buffer as SharedArrayBuffer | undefined),
      end: this.#end,
      at: this.#at,
      lengths: this.#lengths,
      wasted: this.#wasted,
    }
  }

  /** Bytes of all rows. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that no row uses any more: only a new build gives them back. */
  get wasted(): number {
    return this.#wasted
  }

  /** Returns where `specs` lies, as the bytes it now is. */
  put(ordinal: number, { head, specs, tail }: WatchJson): ByteRange {
    this.remove(ordinal)
    const [number, start] = this.#room((head.length + specs.length + tail.length) * bytesPerUnit)
    const bytes = this.#segments[number] as Buffer
    const from = start + bytes.write(head, start)
    const to = from + bytes.write(specs, from)
    const end = to + bytes.write(tail, to)
    this.#at[ordinal] = number * segmentUnits + start / unitBytes
    this.#lengths[ordinal] = end - start
    this.#bytes += end - start
    this.#end = Math.ceil(end / unitBytes) * unitBytes
    return { bytes, from, to }
  }

  remove(ordinal: number): void {
    const length = this.#lengths[ordinal] as number
    this.#wasted += length
    this.#bytes -= length
    this.#lengths[ordinal] = 0
  }

  length(ordinal: number): number {
    return this.#lengths[ordinal] as number
  }

  get(ordinal: number): Buffer {
    const [segment, start] = this.#find(ordinal)
    return segment.subarray(start, start + this.length(ordinal))
  }

  /** The reference number, read from between the fields around it. */
  reference(ordinal: number): string {
    const row = this.get(ordinal)
    const start = row.indexOf(referenceOpen) + referenceOpen.length
    return JSON.parse(row.toString('utf8', start, row.indexOf(referenceClose, start)))
  }

  /** Copies the row into an answer; returns where it ends there. */
  copy(ordinal: number, answer: Buffer, to: number): number {
    const unit = this.#at[ordinal] as number
    const segment = this.#segments[Math.floor(unit / segmentUnits)] as Buffer
    const start = (unit % segmentUnits) * unitBytes
    return to + segment.copy(answer, to, start, start + this.length(ordinal))
  }

  #find(ordinal: number): [segment: Buffer, start: number] {
    const unit = this.#at[ordinal] as number
    return [this.#segments[Math.floor(unit / segmentUnits)] as Buffer, (unit % segmentUnits) * unitBytes]
  }

  /** The last segment, or a new one when it has no room for that many bytes. */
  #room(bytesMax: number): [segment: number, start: number] {
    const last = this.#segments.length - 1
    const room = (this.#segments[last]?.length ?? 0) - this.#end
    if (room >= bytesMax) return [last, this.#end]
    const bytes = Math.max(segmentBytes, bytesMax)
    const segment = this.#segments.push(Buffer.from(new SharedArrayBuffer(bytes))) - 1
    for (let more = segmentBytes; more < bytes; more += segmentBytes) this.#segments.push(undefined)
    return [segment, 0]
  }
}
