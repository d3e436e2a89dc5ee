// In charge of the watches as the bytes the API sends: written once, when a watch is indexed, and copied into
// answers from then on. They lie in segments of shared memory, each row at a multiple of eight bytes.

export interface RowsParts {
  readonly segments: readonly (SharedArrayBuffer | undefined)[]
  /** Where in the last segment there is room. */
  readonly end: number
  /** For each watch, where its row begins, in units of eight bytes over all segments. */
  readonly at: Uint32Array
  readonly lengths: Uint32Array
  readonly wasted: number
}

const segmentBytes = 16 * 1024 * 1024
const unitBytes = 8
const segmentUnits = segmentBytes / unitBytes
/** A character takes at most three bytes of UTF-8 for each unit of UTF-16. */
const bytesPerUnit = 3

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

  static create(capacity: number): Rows {
    const [at, lengths] = [sharedWords(capacity), sharedWords(capacity)]
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

  put(ordinal: number, row: string): void {
    this.remove(ordinal)
    const [segment, start] = this.#room(row.length * bytesPerUnit)
    const length = (this.#segments[segment] as Buffer).write(row, start)
    this.#at[ordinal] = segment * segmentUnits + start / unitBytes
    this.#lengths[ordinal] = length
    this.#bytes += length
    this.#end = start + Math.ceil(length / unitBytes) * unitBytes
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

function sharedWords(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4))
}
