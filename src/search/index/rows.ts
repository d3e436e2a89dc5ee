// Stores every watch as the bytes that responses are assembled from, each row at a multiple of eight bytes in one
// shared memory that a worker thread can fill and pass on. The field names, which all watches share (the frame), are
// added only in the response: they would take a fifth of the memory. The loop that joins a page is join-rows.wat.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fieldMark, type WatchJson, watchFrame } from '../../catalogue/watches.ts'
import type { ByteRange } from '../dictionary/member-groups.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'

export interface RowsParts {
  readonly memory: WebAssembly.Memory
  /** The address of the next row. */
  readonly end: number
  /** The address of each watch's row, in units of eight bytes. */
  readonly at: Uint32Array
  readonly lengths: Uint32Array
  readonly wasted: number
  readonly bytes: number
}

/**
 * The address and length of each row, alternating, and the total bytes of the framed rows. Not a typed array: its memory
 * would be outside the heap, which costs more than the numbers themselves.
 */
export interface RowPlaces {
  readonly places: readonly number[]
  readonly bytes: number
}

/** Bytes to write before the rows. */
export interface RowsHead {
  readonly length: number
  write(into: Buffer, at: number): void
}

/** Bytes of a response. Their memory is reused after `giveBack` is called. */
export interface JoinedRows {
  readonly bytes: Buffer
  readonly giveBack: () => void
}

const noHead: RowsHead = { length: 0, write: () => {} }

type Join = (list: number, count: number, frame: number, out: number) => number

const unitBytes = 8
const pageBytes = 65_536
/** The limit of 32-bit addresses, 4 GB: about six million watches. */
const pagesMax = 65_536
/** The memory grows by at least this many pages at a time; pages that are not touched take no physical memory. */
const growPages = 1_024
/** UTF-8 takes at most three bytes per UTF-16 unit. */
const bytesPerUnit = 3
/** The memory starts with the list of rows of a page, the frame of a row, and the buffers of responses being sent. */
const listBytes = 4_096
const frameTextBytes = 32
const frameAt = listBytes
const firstAnswer = frameAt + 1_024
/** The loop reads and writes up to this many bytes past the end. */
const overrunBytes = 32
const headBytes = 8 * 1024
const bodyBytes = 248 * 1024
const answerBytes = headBytes + bodyBytes
const answersMax = 64
const firstRow = firstAnswer + answerBytes * answersMax

const mark = fieldMark.charCodeAt(0)
const marksPerRow = 7
/** Id, brand, collection and reference: the fields before the prices and the time. */
const namingFields = 4
const referenceField = 3
const frame = watchFrame.map((text) => Buffer.from(text))
/** The number of bytes that the frame adds to a stored row. */
const framedBytes = frame.reduce((sum, { length }) => sum + length, -marksPerRow)

/** The start of every list response; already present in each response buffer. */
const opening = Buffer.from('{"data":[')
const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20]

const joining = new WebAssembly.Module(readFileSync(path.join(import.meta.dirname, 'join-rows.wasm')))

export class Rows {
  readonly #memory: WebAssembly.Memory
  readonly #join: Join
  readonly #at: Uint32Array
  readonly #lengths: Uint32Array
  /** Addresses of free response buffers. The last one freed is reused first, so it is still in the CPU cache. */
  readonly #freeAnswers: number[] = []
  /** The input of the loop: the rows of the page that is being joined. */
  readonly #list: Uint32Array
  #buffer: Buffer
  #end: number
  #wasted: number
  #bytes: number

  constructor({ memory, end, at, lengths, wasted, bytes }: RowsParts) {
    this.#memory = memory
    this.#buffer = Buffer.from(memory.buffer)
    this.#list = new Uint32Array(memory.buffer, 0, listBytes / 4)
    this.#join = new WebAssembly.Instance(joining, { index: { memory } }).exports.join as Join
    this.#end = end
    this.#at = at
    this.#lengths = lengths
    this.#wasted = wasted
    this.#bytes = bytes
    frame.forEach((text, at) => {
      const start = frameAt + at * frameTextBytes
      text.copy(this.#buffer, start)
      this.#buffer.writeUInt32LE(text.length, start + frameTextBytes - 4)
    })
    for (let answer = answersMax - 1; answer >= 0; answer--) {
      const start = firstAnswer + answer * answerBytes
      opening.copy(this.#buffer, start + headBytes)
      this.#freeAnswers.push(start)
    }
  }

  static create(blocks: MemoryBlocks, capacity: number): Rows {
    const initial = Math.ceil(firstRow / pageBytes)
    const memory = new WebAssembly.Memory({ initial, maximum: pagesMax, shared: true })
    const [at, lengths] = [blocks.words(capacity), blocks.words(capacity)]
    return new Rows({ memory, end: firstRow, at, lengths, wasted: 0, bytes: 0 })
  }

  get parts(): RowsParts {
    return {
      memory: this.#memory,
      end: this.#end,
      at: this.#at,
      lengths: this.#lengths,
      wasted: this.#wasted,
      bytes: this.#bytes,
    }
  }

  /** The number of bytes of all stored rows, without frames. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of bytes that no row uses any more; only a rebuild reclaims them. */
  get wasted(): number {
    return this.#wasted
  }

  /** Stores a row, replacing any previous one. Returns the range of bytes that holds its `specs`. */
  put(ordinal: number, { fields, specs }: WatchJson): ByteRange {
    this.remove(ordinal)
    this.#makeRoom((fields.length + specs.length) * bytesPerUnit + overrunBytes)
    const [bytes, start] = [this.#buffer, this.#end]
    const from = start + bytes.write(fields, start)
    const to = from + bytes.write(specs, from)
    this.#at[ordinal] = start / unitBytes
    this.#lengths[ordinal] = to - start
    this.#bytes += to - start
    this.#end = Math.ceil(to / unitBytes) * unitBytes
    return { bytes, from, to }
  }

  /** Replaces the prices and the time of an existing row, given as `priceFields`, in the same place if they fit. */
  putPrices(ordinal: number, fields: string): void {
    this.#makeRoom((this.#lengths[ordinal] as number) + fields.length + overrunBytes)
    const bytes = this.#buffer
    const start = (this.#at[ordinal] as number) * unitBytes
    const lengthBefore = this.#lengths[ordinal] as number
    const from = this.#skipFields(start, namingFields)
    const specs = this.#skipFields(from, marksPerRow - namingFields)
    const length = lengthBefore + fields.length - (specs - from)
    const isInPlace = length <= Math.ceil(lengthBefore / unitBytes) * unitBytes
    const to = isInPlace ? start : this.#end
    if (!isInPlace) bytes.copyWithin(to, start, from)
    const specsTo = to + (from - start) + fields.length
    if (specsTo !== specs) bytes.copyWithin(specsTo, specs, start + lengthBefore)
    bytes.write(fields, to + (from - start), 'latin1')
    this.#resize(ordinal, to, length)
  }

  /**
   * Replaces an existing row by one that differs from it in prices and time at most, in the same place if it fits: then
   * no bytes are wasted. Returns false and changes nothing if anything else differs.
   */
  replacePrices(ordinal: number, { fields, specs }: WatchJson): boolean {
    this.#makeRoom((fields.length + specs.length) * bytesPerUnit + overrunBytes)
    const [bytes, start] = [this.#buffer, this.#end]
    const from = start + bytes.write(fields, start)
    const to = from + bytes.write(specs, from)
    const before = (this.#at[ordinal] as number) * unitBytes
    const lengthBefore = this.#lengths[ordinal] as number
    const isSame =
      this.#hasSameNames(before, start, fields) && this.#endsWith(before + lengthBefore, from, to)
    if (!isSame) return false
    const isInPlace = to - start <= Math.ceil(lengthBefore / unitBytes) * unitBytes
    if (isInPlace) bytes.copyWithin(before, start, to)
    this.#resize(ordinal, isInPlace ? before : start, to - start)
    return true
  }

  /** Returns the address after this many fields. Names and prices are short: a loop is faster than `indexOf`. */
  #skipFields(from: number, count: number): number {
    const bytes = this.#buffer
    let at = from
    for (let marks = 0; marks < count; at++) if (bytes[at] === mark) marks++
    return at
  }

  /** Notes the address and the length of a row that was just written. */
  #resize(ordinal: number, start: number, length: number): void {
    const lengthBefore = this.#lengths[ordinal] as number
    this.#lengths[ordinal] = length
    this.#bytes += length - lengthBefore
    if (start !== this.#end) return
    this.#at[ordinal] = start / unitBytes
    this.#wasted += lengthBefore
    this.#end = Math.ceil((start + length) / unitBytes) * unitBytes
  }

  /** Whether the row at `before` begins with the same names as the one that was just written to `start`. */
  #hasSameNames(before: number, start: number, fields: string): boolean {
    let end = 0
    for (let field = 0; field < namingFields; field++) end = fields.indexOf(fieldMark, end) + 1
    const length = Buffer.byteLength(fields.slice(0, end))
    return this.#buffer.compare(this.#buffer, before, before + length, start, start + length) === 0
  }

  /** Whether the specs of the row that ends at `end` are the bytes between `from` and `to`. */
  #endsWith(end: number, from: number, to: number): boolean {
    const start = end - (to - from)
    return this.#buffer[start - 1] === mark && this.#buffer.compare(this.#buffer, start, end, from, to) === 0
  }

  remove(ordinal: number): void {
    const length = this.#lengths[ordinal] as number
    this.#wasted += length
    this.#bytes -= length
    this.#lengths[ordinal] = 0
  }

  has(ordinal: number): boolean {
    return (this.#lengths[ordinal] as number) > 0
  }

  /** Returns the address of an existing row. A row whose specs have changed has another address than before. */
  placeOf(ordinal: number): number {
    return this.#at[ordinal] as number
  }

  /** Returns the length of an existing row with its frame, as it is sent. */
  lengthAt(ordinal: number): number {
    return (this.#lengths[ordinal] as number) + framedBytes
  }

  get(ordinal: number): Buffer {
    const { places, bytes } = this.locate(Uint32Array.of(ordinal))
    const row = Buffer.allocUnsafe(bytes)
    this.#write(places, 0, row, 0)
    return row
  }

  reference(ordinal: number): string {
    const bytes = this.#buffer
    let start = (this.#at[ordinal] as number) * unitBytes
    for (let field = 0; field < referenceField; field++) start = bytes.indexOf(mark, start) + 1
    return JSON.parse(bytes.toString('utf8', start, bytes.indexOf(mark, start)))
  }

  /** Returns the addresses of the rows of these watches; valid until one of the watches changes. */
  locate(ordinals: Uint32Array): RowPlaces {
    const places: number[] = []
    let bytes = 0
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at] as number
      const length = this.#lengths[ordinal] as number
      places.push(this.#at[ordinal] as number, length)
      bytes += length + framedBytes
    }
    return { places, bytes }
  }

  /** Returns the number of bytes of a list of the rows followed by `after`, without a head. */
  lengthOf({ places, bytes }: RowPlaces, after: string): number {
    const commas = Math.max(0, places.length / 2 - 1)
    return opening.length + bytes + commas + Buffer.byteLength(after)
  }

  /** Returns `head`, a list of the rows, and `after`. */
  join({ places, bytes }: RowPlaces, after: string, head = noHead): JoinedRows {
    const most = opening.length + bytes + places.length / 2 + after.length * bytesPerUnit
    const isSmall =
      most + overrunBytes <= bodyBytes && places.length <= this.#list.length && head.length <= headBytes
    const start = isSmall ? this.#freeAnswers.pop() : undefined
    if (start === undefined) {
      return { bytes: this.#joinApart(places, after, head, head.length + most), giveBack: () => {} }
    }
    const list = this.#list
    for (let at = 0; at < places.length; at++) list[at] = places[at] as number
    // The head ends where the opening starts, which is at a fixed offset.
    const from = start + headBytes - head.length
    head.write(this.#buffer, from)
    const end = this.#join(0, places.length / 2, frameAt, start + headBytes + opening.length)
    return {
      bytes: this.#buffer.subarray(from, end + this.#buffer.write(after, end)),
      giveBack: () => void this.#freeAnswers.push(start),
    }
  }

  /** Returns the rows one per line, written into `memory`, or into a new buffer if `memory` is too small. */
  lines(rows: RowPlaces, memory: Buffer): Buffer {
    const { bytes, giveBack } = this.join(rows, '\n')
    const length = bytes.length - opening.length
    const lines = length > memory.length ? Buffer.allocUnsafeSlow(length) : memory.subarray(0, length)
    bytes.copy(lines, 0, opening.length)
    giveBack()
    blankLineEnds(lines)
    let end = -1
    for (let at = 1; at < rows.places.length; at += 2) {
      end += (rows.places[at] as number) + framedBytes + 1
      // Replace the comma that the loop writes between rows.
      lines[end] = lineFeed
    }
    return lines
  }

  /** Joins in a newly allocated buffer, for very large rows or if no response buffer is free. */
  #joinApart(places: readonly number[], after: string, head: RowsHead, bytesMax: number): Buffer {
    const answer = Buffer.allocUnsafe(bytesMax)
    head.write(answer, 0)
    let end = head.length
    end += opening.copy(answer, end)
    for (let at = 0; at < places.length; at += 2) {
      if (at > 0) end += answer.write(',', end)
      end = this.#write(places, at, answer, end)
    }
    return answer.subarray(0, end + answer.write(after, end))
  }

  /** Writes one framed row to `out`, as the loop does; returns its end. */
  #write(places: readonly number[], at: number, out: Buffer, from: number): number {
    const start = (places[at] as number) * unitBytes
    const row = this.#buffer.subarray(start, start + (places[at + 1] as number))
    const fields: Buffer[] = []
    let passed = 0
    for (let field = 0; field < marksPerRow; field++) {
      const end = row.indexOf(mark, passed)
      fields.push(row.subarray(passed, end))
      passed = end + 1
    }
    // `updated_at` is stored before the specs and sent after them.
    fields.splice(-1, 0, row.subarray(passed))
    let end = from
    frame.forEach((text, place) => {
      end += text.copy(out, end)
      end += fields[place]?.copy(out, end) ?? 0
    })
    return end
  }

  #makeRoom(bytes: number): void {
    const missing = Math.ceil((this.#end + bytes - this.#buffer.length) / pageBytes)
    if (missing <= 0) return
    this.#memory.grow(Math.max(missing, growPages))
    this.#buffer = Buffer.from(this.#memory.buffer)
  }
}

/** Replaces line ends with spaces. They occur only between the tokens of stored specs, never in a JSON string. */
function blankLineEnds(lines: Buffer): void {
  for (const lineEnd of [lineFeed, carriageReturn]) {
    for (let at = lines.indexOf(lineEnd); at !== -1; at = lines.indexOf(lineEnd, at)) lines[at] = space
  }
}
