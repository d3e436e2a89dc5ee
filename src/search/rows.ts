// In charge of the watches as the bytes the API sends: written once, when a watch is indexed, and copied into
// answers from then on. They lie one after the other in a memory that another thread can fill and hand over, each at
// a multiple of eight bytes; the loop that puts a page together is join-rows.wat.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { WatchJson } from '../catalogue/watches.ts'
import type { MemoryBlocks } from './memory-blocks.ts'

export interface RowsParts {
  readonly memory: WebAssembly.Memory
  /** Where there is room for the next row. */
  readonly end: number
  /** For each watch, where its row begins, in units of eight bytes. */
  readonly at: Uint32Array
  readonly lengths: Uint32Array
  readonly wasted: number
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

type Join = (list: number, count: number, out: number) => number

const unitBytes = 8
const pageBytes = 65_536
/** What 32 bits can address: some six million watches. */
const pagesMax = 65_536
/** Grown by this much at once; what is not touched takes no room. */
const growPages = 1_024
/** A character takes at most three bytes of UTF-8 for each unit of UTF-16. */
const bytesPerUnit = 3
/** At the start of the memory: the list of rows of a page, then the answers that are being put together or sent. */
const listBytes = 4_096
const headBytes = 8 * 1024
const bodyBytes = 248 * 1024
const answerBytes = headBytes + bodyBytes
const answersMax = 64
const firstRow = listBytes + answerBytes * answersMax

/** In a text of JSON quotation marks are escaped: only the names of fields look so. */
const referenceOpen = Buffer.from('"reference_number":')
const referenceClose = Buffer.from(',"retail_price_usd":')

/** Of every answer with a list: it stands at the start of each place for one. */
const opening = Buffer.from('{"data":[')

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
  #bytes = 0

  constructor({ memory, end, at, lengths, wasted }: RowsParts) {
    this.#memory = memory
    this.#buffer = Buffer.from(memory.buffer)
    this.#list = new Uint32Array(memory.buffer, 0, listBytes / 4)
    this.#join = new WebAssembly.Instance(joining, { index: { memory } }).exports.join as Join
    this.#end = end
    this.#at = at
    this.#lengths = lengths
    this.#wasted = wasted
    for (const length of lengths) this.#bytes += length
    for (let answer = answersMax - 1; answer >= 0; answer--) {
      const start = listBytes + answer * answerBytes
      opening.copy(this.#buffer, start + headBytes)
      this.#freeAnswers.push(start)
    }
  }

  static create(blocks: MemoryBlocks, capacity: number): Rows {
    const initial = Math.ceil(firstRow / pageBytes)
    const memory = new WebAssembly.Memory({ initial, maximum: pagesMax, shared: true })
    const [at, lengths] = [blocks.words(capacity), blocks.words(capacity)]
    return new Rows({ memory, end: firstRow, at, lengths, wasted: 0 })
  }

  get parts(): RowsParts {
    return {
      memory: this.#memory,
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
    this.#makeRoom((head.length + specs.length + tail.length) * bytesPerUnit)
    const [bytes, start] = [this.#buffer, this.#end]
    const from = start + bytes.write(head, start)
    const to = from + bytes.write(specs, from)
    const end = to + bytes.write(tail, to)
    this.#at[ordinal] = start / unitBytes
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
    const start = (this.#at[ordinal] as number) * unitBytes
    return this.#buffer.subarray(start, start + this.length(ordinal))
  }

  /** The reference number, read from between the fields around it. */
  reference(ordinal: number): string {
    const row = this.get(ordinal)
    const start = row.indexOf(referenceOpen) + referenceOpen.length
    return JSON.parse(row.toString('utf8', start, row.indexOf(referenceClose, start)))
  }

  /** Where the rows of these watches lie, until one of them is changed. */
  locate(ordinals: Uint32Array): RowPlaces {
    const places = new Uint32Array(ordinals.length * 2)
    let bytes = 0
    ordinals.forEach((ordinal, at) => {
      places[at * 2] = this.#at[ordinal] as number
      places[at * 2 + 1] = this.#lengths[ordinal] as number
      bytes += this.#lengths[ordinal] as number
    })
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
    const isSmall = most <= bodyBytes && places.length <= this.#list.length && head.length <= headBytes
    const start = isSmall ? this.#freeAnswers.pop() : undefined
    if (start === undefined) {
      return { bytes: this.#joinApart(places, after, head, head.length + most), giveBack: () => {} }
    }
    const list = this.#list
    for (let at = 0; at < places.length; at++) list[at] = places[at] as number
    // Up to where the opening stands, which is always the same place.
    const from = start + headBytes - head.length
    if (head !== '') this.#buffer.write(head, from, 'latin1')
    const end = this.#join(0, places.length / 2, start + headBytes + opening.length)
    return {
      bytes: this.#buffer.subarray(from, end + this.#buffer.write(after, end)),
      giveBack: () => void this.#freeAnswers.push(start),
    }
  }

  /** In memory of its own: very large rows, or more answers under way than there is room for. */
  #joinApart(places: Uint32Array, after: string, head: string, bytesMax: number): Buffer {
    const answer = Buffer.allocUnsafe(bytesMax)
    let end = answer.write(head, 'latin1')
    end += opening.copy(answer, end)
    for (let at = 0; at < places.length; at += 2) {
      if (at > 0) end += answer.write(',', end)
      const start = (places[at] as number) * unitBytes
      end += this.#buffer.copy(answer, end, start, start + (places[at + 1] as number))
    }
    return answer.subarray(0, end + answer.write(after, end))
  }

  #makeRoom(bytes: number): void {
    const missing = Math.ceil((this.#end + bytes - this.#buffer.length) / pageBytes)
    if (missing <= 0) return
    this.#memory.grow(Math.max(missing, growPages))
    this.#buffer = Buffer.from(this.#memory.buffer)
  }
}
