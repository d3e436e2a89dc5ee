// In charge of the watches as the bytes the API sends: written once, when a watch is indexed, and copied into
// answers from then on. What all of them share, the names of the fields, is put in only then: it would be a fifth of
// the memory. They lie one after the other in a memory that another thread can fill and hand over, each at a multiple
// of eight bytes; the loop that puts a page together is join-rows.wat.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fieldMark, type WatchJson, watchFrame } from '../../catalogue/watches.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'

export interface RowsParts {
  readonly memory: WebAssembly.Memory
  /** Where there is room for the next row. */
  readonly end: number
  /** For each watch, where its row begins, in units of eight bytes. */
  readonly at: Uint32Array
  readonly lengths: Uint32Array
  readonly wasted: number
  readonly bytes: number
}

/** Of each row where it begins and how long it is. */
export interface RowPlaces {
  readonly places: Uint32Array
  readonly bytes: number
}

export interface ByteRange {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** Bytes that are used again once they have been given back. */
export interface JoinedRows {
  readonly bytes: Buffer
  readonly giveBack: () => void
}

type Join = (list: number, count: number, frame: number, out: number) => number

const unitBytes = 8
const pageBytes = 65_536
/** What 32 bits can address: some six million watches. */
const pagesMax = 65_536
/** Grown by this much at once; what is not touched takes no room. */
const growPages = 1_024
/** A character takes at most three bytes of UTF-8 for each unit of UTF-16. */
const bytesPerUnit = 3
/** At the start of the memory: the list of rows of a page, the frame of a row, the answers that are being sent. */
const listBytes = 4_096
const frameTextBytes = 32
const frameAt = listBytes
const firstAnswer = frameAt + 1_024
/** The loop writes up to so much behind the end, and reads as much. */
const overrunBytes = 32
const headBytes = 8 * 1024
const bodyBytes = 248 * 1024
const answerBytes = headBytes + bodyBytes
const answersMax = 64
const firstRow = firstAnswer + answerBytes * answersMax

const mark = fieldMark.charCodeAt(0)
const marksPerRow = 7
const referenceField = 3
const frame = watchFrame.map((text) => Buffer.from(text))
/** How much longer a row is with its frame than as it is kept. */
const framedBytes = frame.reduce((sum, { length }) => sum + length, -marksPerRow)

/** Of every answer with a list: it stands at the start of each place for one. */
const opening = Buffer.from('{"data":[')
const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20]

const joining = new WebAssembly.Module(readFileSync(path.join(import.meta.dirname, 'join-rows.wasm')))

export class Rows {
  readonly #memory: WebAssembly.Memory
  readonly #join: Join
  readonly #at: Uint32Array
  readonly #lengths: Uint32Array
  /** Starts of answers that are free. Few are in use at a time, so they stay in the processor's memory. */
  readonly #freeAnswers: number[] = []
  /** What the loop reads: the rows of the page that is being put together. */
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

  /** Bytes of all rows as they are kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that no row uses any more: only a new build gives them back. */
  get wasted(): number {
    return this.#wasted
  }

  /** Returns where `specs` lies, as the bytes it now is. */
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

  remove(ordinal: number): void {
    const length = this.#lengths[ordinal] as number
    this.#wasted += length
    this.#bytes -= length
    this.#lengths[ordinal] = 0
  }

  has(ordinal: number): boolean {
    return (this.#lengths[ordinal] as number) > 0
  }

  /** As it is sent; of one that is there. */
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

  /** Where the rows of these watches lie, until one of them is changed. */
  locate(ordinals: Uint32Array): RowPlaces {
    const places = new Uint32Array(ordinals.length * 2)
    let bytes = 0
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at] as number
      const length = this.#lengths[ordinal] as number
      places[at * 2] = this.#at[ordinal] as number
      places[at * 2 + 1] = length
      bytes += length + framedBytes
    }
    return { places, bytes }
  }

  /** How many bytes a list of the rows has, with what follows it. */
  lengthOf({ places, bytes }: RowPlaces, after: string): number {
    const commas = Math.max(0, places.length / 2 - 1)
    return opening.length + bytes + commas + Buffer.byteLength(after)
  }

  /** A list of the rows, and what follows it, behind a head of Latin-1 characters. */
  join({ places, bytes }: RowPlaces, after: string, head = ''): JoinedRows {
    const most = opening.length + bytes + places.length / 2 + after.length * bytesPerUnit
    const isSmall =
      most + overrunBytes <= bodyBytes && places.length <= this.#list.length && head.length <= headBytes
    const start = isSmall ? this.#freeAnswers.pop() : undefined
    if (start === undefined) {
      return { bytes: this.#joinApart(places, after, head, head.length + most), giveBack: () => {} }
    }
    const list = this.#list
    for (let at = 0; at < places.length; at++) list[at] = places[at] as number
    // Up to where the opening stands, which is always the same place.
    const from = start + headBytes - head.length
    if (head !== '') this.#buffer.write(head, from, 'latin1')
    const end = this.#join(0, places.length / 2, frameAt, start + headBytes + opening.length)
    return {
      bytes: this.#buffer.subarray(from, end + this.#buffer.write(after, end)),
      giveBack: () => void this.#freeAnswers.push(start),
    }
  }

  /** The rows one below the other, written over what is in `memory`; in memory of their own where it is too small. */
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
      // What the loop joins by is a comma.
      lines[end] = lineFeed
    }
    return lines
  }

  /** In memory of its own: very large rows, or more answers under way than there is room for. */
  #joinApart(places: Uint32Array, after: string, head: string, bytesMax: number): Buffer {
    const answer = Buffer.allocUnsafe(bytesMax)
    let end = answer.write(head, 'latin1')
    end += opening.copy(answer, end)
    for (let at = 0; at < places.length; at += 2) {
      if (at > 0) end += answer.write(',', end)
      end = this.#write(places, at, answer, end)
    }
    return answer.subarray(0, end + answer.write(after, end))
  }

  /** What the loop does for one row; returns where it ends. */
  #write(places: Uint32Array, at: number, out: Buffer, from: number): number {
    const start = (places[at] as number) * unitBytes
    const row = this.#buffer.subarray(start, start + (places[at + 1] as number))
    const fields: Buffer[] = []
    let passed = 0
    for (let field = 0; field < marksPerRow; field++) {
      const end = row.indexOf(mark, passed)
      fields.push(row.subarray(passed, end))
      passed = end + 1
    }
    // The date is kept before the specs and stands behind them.
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

/** Within a row they can only stand between the tokens of specs that were stored so: no string of JSON has them. */
function blankLineEnds(lines: Buffer): void {
  for (const lineEnd of [lineFeed, carriageReturn]) {
    for (let at = lines.indexOf(lineEnd); at !== -1; at = lines.indexOf(lineEnd, at)) lines[at] = space
  }
}
