// Allocates bitmaps of watches in slots of equal size, each followed by its rank directory, in one shared WebAssembly
// memory that a worker thread can fill and pass on. The inner loops over the bitmaps are in combine-sets.wat.
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The number of a slot, which holds a set of watches as a bitmap. */
export type Slot = number

export interface SlotsParts {
  readonly memory: WebAssembly.Memory
  /** The number of bits in a slot: the maximum number of watches. */
  readonly capacity: number
  readonly used: number
}

const blockBits = 2_048
const blockWords = blockBits / 32
const pageBytes = 65_536
/** The limit of 32-bit addresses: 4 GB. */
const pagesMax = 65_536
/** The memory grows by at least this many pages at a time. */
const growPages = 16
/** The minimum length of the scratch space, for the lists of small catalogues. */
const roomMin = 1_024

const combining = new WebAssembly.Module(readFileSync(path.join(import.meta.dirname, 'combine-sets.wasm')))

type Combine = (
  a: number,
  b: number,
  out: number,
  notA: number,
  notB: number,
  notOut: number,
  bytes: number,
) => number

type Meet = (a: number, b: number, c: number, d: number, out: number, bytes: number) => number
type Common = (a: number, b: number, bytes: number) => number
type Without = (a: number, b: number, out: number, bytes: number) => void
type Mark = (list: number, count: number, set: number, bit: number) => void
type List = (set: number, bytes: number, to: number) => number
type Copy = (to: number, from: number, bytes: number) => void
type Clear = (at: number, bytes: number) => void
type Keep = (list: number, count: number, to: number, set: number, flip: number) => number
type KeepListed = (
  list: number,
  count: number,
  to: number,
  others: number,
  otherCount: number,
  flip: number,
) => number

export class Slots {
  readonly capacity: number
  readonly slotBytes: number
  readonly #memory: WebAssembly.Memory
  readonly #combine: Combine
  readonly #meet: Meet
  readonly #common: Common
  readonly #without: Without
  readonly #mark: Mark
  readonly #list: List
  readonly #copy: Copy
  readonly #clear: Clear
  readonly #keep: Keep
  readonly #keepListed: KeepListed
  readonly #setBytes: number
  readonly #blocks: number
  readonly #free: Slot[] = []
  /** The slots whose rank directory is still to be built. */
  readonly #unranked = new Set<Slot>()
  #used: number
  #words: Uint32Array
  /** Lists used as scratch space; allocated when first needed. */
  #room: Uint32Array | undefined
  #otherRoom: Uint32Array | undefined

  constructor({ memory, capacity, used }: SlotsParts) {
    this.#memory = memory
    this.capacity = capacity
    this.#used = used
    this.#blocks = Math.max(1, Math.ceil(capacity / blockBits))
    this.#setBytes = (this.#blocks * blockBits) / 8
    // Aligned to the 16 bytes that the loop reads at a time.
    this.slotBytes = this.#setBytes + Math.ceil((this.#blocks * 4) / 16) * 16
    this.#words = new Uint32Array(memory.buffer)
    const { exports } = new WebAssembly.Instance(combining, { index: { memory } })
    this.#combine = exports.combine as Combine
    this.#meet = exports.meet as Meet
    this.#common = exports.common as Common
    this.#without = exports.without as Without
    this.#mark = exports.mark as Mark
    this.#list = exports.list as List
    this.#copy = exports.copy as Copy
    this.#clear = exports.clear as Clear
    this.#keep = exports.keep as Keep
    this.#keepListed = exports.keepListed as KeepListed
  }

  static create(capacity: number): Slots {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: pagesMax, shared: true })
    return new Slots({ memory, capacity, used: 0 })
  }

  get parts(): SlotsParts {
    assert.equal(this.#free.length, 0, 'no slot may be free when the slots are passed to another thread')
    return { memory: this.#memory, capacity: this.capacity, used: this.#used }
  }

  /** The number of bytes in use, without freed slots. */
  get bytes(): number {
    return (this.#used - this.#free.length) * this.slotBytes
  }

  /** Returns a slot with all bits clear. */
  allocate(): Slot {
    const slot = this.allocateForResult()
    this.#clear(slot * this.slotBytes, this.slotBytes)
    return slot
  }

  /** Returns a slot with arbitrary contents, which the caller must overwrite completely. */
  allocateForResult(): Slot {
    return this.#free.pop() ?? this.#append(1)
  }

  /** Returns the first of several new, contiguous slots. */
  #append(count: number): Slot {
    const first = this.#used
    const used = first + count
    const missing = Math.ceil((used * this.slotBytes - this.#words.byteLength) / pageBytes)
    if (missing > 0) {
      this.#memory.grow(Math.max(missing, growPages))
      this.#words = new Uint32Array(this.#memory.buffer)
    }
    // Only now: the memory may be full.
    this.#used = used
    return first
  }

  /** Returns a new slot with the same members, without a rank directory. */
  copy(slot: Slot): Slot {
    const copy = this.allocateForResult()
    this.#copy(copy * this.slotBytes, slot * this.slotBytes, this.#setBytes)
    return copy
  }

  /** Returns a new slot with the members of the slot that are not in `left`, without a rank directory. */
  copyWithout(slot: Slot, left: Slot): Slot {
    const copy = this.allocateForResult()
    this.#without(left * this.slotBytes, slot * this.slotBytes, copy * this.slotBytes, this.#setBytes)
    return copy
  }

  free(slot: Slot): void {
    this.#unranked.delete(slot)
    this.#free.push(slot)
  }

  /** Writes the intersection to `out`; returns its size. */
  and(a: Slot, b: Slot, out: Slot): number {
    return this.#run(a, b, out, 0, 0, 0)
  }

  /** Writes the intersection of three or four sets to `out`; returns its size. For three, pass one of them twice. */
  meet(a: Slot, b: Slot, c: Slot, d: Slot, out: Slot): number {
    const bytes = this.slotBytes
    return this.#meet(a * bytes, b * bytes, c * bytes, d * bytes, out * bytes, this.#setBytes)
  }

  /** Writes `b` without the members of `a` to `out`; returns its size. */
  subtract(a: Slot, b: Slot, out: Slot): number {
    return this.#run(a, b, out, -1, 0, 0)
  }

  /** Writes the union to `out`; returns its size. */
  or(a: Slot, b: Slot, out: Slot): number {
    return this.#run(a, b, out, -1, -1, -1)
  }

  /** Returns the size of the intersection; writes nothing. */
  countBoth(a: Slot, b: Slot): number {
    return this.#common(a * this.slotBytes, b * this.slotBytes, this.#setBytes)
  }

  /** Counts the members of a slot and rebuilds its rank directory. Call it after setting or clearing single bits. */
  count(slot: Slot): number {
    this.#unranked.delete(slot)
    return this.and(slot, slot, slot)
  }

  /** Does the same only if the directory is needed: most sets are read from their first member on, which needs none. */
  countLater(slot: Slot): void {
    this.#unranked.add(slot)
  }

  has(slot: Slot, at: number): boolean {
    return (((this.#words[this.#wordsAt(slot) + (at >>> 5)] as number) >>> (at & 31)) & 1) === 1
  }

  /** Scratch space for a list of ordinals, longer than any sparse set. Its contents are lost with the next use. */
  get room(): Uint32Array {
    this.#room ??= this.#makeRoom()
    return this.#room
  }

  /** Copies a sparse set to the memory of the slots; the copy is lost with the next one. */
  listBriefly(ordinals: Uint32Array): Uint32Array {
    this.#otherRoom ??= this.#makeRoom()
    this.#otherRoom.set(ordinals)
    return this.#otherRoom.subarray(0, ordinals.length)
  }

  #makeRoom(): Uint32Array {
    return this.list(Math.max(roomMin, this.#setBytes / 4))
  }

  /** Allocates a list of ordinals in the memory of the slots, in new slots that are never freed. */
  list(length: number): Uint32Array {
    const slot = this.#append(Math.ceil((length * 4) / this.slotBytes))
    return new Uint32Array(this.#memory.buffer, slot * this.slotBytes, length)
  }

  /** Moves a part of a list from `list`, as `copyWithin` does. */
  copyWithin(list: Uint32Array, to: number, from: number, end: number): void {
    this.#copy(list.byteOffset + to * 4, list.byteOffset + from * 4, (end - from) * 4)
  }

  /**
   * Writes those of the first `length` ordinals that are members, or those that are not, to `room`; returns how many.
   * `ordinals` is `room` itself or a list from `list`.
   */
  keep(ordinals: Uint32Array, length: number, slot: Slot, members: boolean): number {
    return this.#keep(
      ordinals.byteOffset,
      length,
      this.room.byteOffset,
      slot * this.slotBytes,
      members ? 0 : 1,
    )
  }

  /** The same with the members of another list from `list`. Both are sorted. */
  keepListed(ordinals: Uint32Array, length: number, others: Uint32Array, members: boolean): number {
    const to = this.room.byteOffset
    return this.#keepListed(
      ordinals.byteOffset,
      length,
      to,
      others.byteOffset,
      others.length,
      members ? 0 : 1,
    )
  }

  /** Adds or removes the ordinals between two positions of a list from `list`. Does not update the rank directory. */
  markListed(slot: Slot, list: Uint32Array, from: number, to: number, isMember: boolean): void {
    this.#mark(list.byteOffset + from * 4, to - from, slot * this.slotBytes, isMember ? 1 : 0)
  }

  /** The same with a list that may be anywhere. Overwrites `room`. */
  mark(slot: Slot, ordinals: Uint32Array, isMember: boolean): void {
    const { room } = this
    for (let start = 0; start < ordinals.length; start += room.length) {
      const part = ordinals.subarray(start, start + room.length)
      room.set(part)
      this.#mark(room.byteOffset, part.length, slot * this.slotBytes, isMember ? 1 : 0)
    }
  }

  /** Returns all members, of which there are `count`: not more than `room` holds, which is overwritten. */
  members(slot: Slot, count: number): Uint32Array {
    const { room } = this
    assert.ok(count <= room.length, 'only a set that fits into the room is listed')
    this.#list(slot * this.slotBytes, this.#setBytes, room.byteOffset)
    return room.slice(0, count)
  }

  /** Does not update the rank directory: call `count` afterwards. */
  set(slot: Slot, at: number): void {
    const word = this.#wordsAt(slot) + (at >>> 5)
    this.#words[word] = (this.#words[word] as number) | (1 << (at & 31))
  }

  clear(slot: Slot, at: number): void {
    const word = this.#wordsAt(slot) + (at >>> 5)
    this.#words[word] = (this.#words[word] as number) & ~(1 << (at & 31))
  }

  /** Returns how many of the ordinals between two positions of a list from `list` are members. Overwrites `room`. */
  countListed(slot: Slot, list: Uint32Array, from: number, to: number): number {
    return this.#keep(list.byteOffset + from * 4, to - from, this.room.byteOffset, slot * this.slotBytes, 0)
  }

  /** The same with a list that may be anywhere. */
  countOf(slot: Slot, ordinals: Uint32Array): number {
    const words = this.#words
    const start = this.#wordsAt(slot)
    let count = 0
    for (const ordinal of ordinals) {
      count += ((words[start + (ordinal >>> 5)] as number) >>> (ordinal & 31)) & 1
    }
    return count
  }

  /** Writes the members from `rank` on to `out`, in order, until it is full or the set ends; returns how many. */
  select(slot: Slot, rank: number, out: Uint32Array): number {
    const start = this.#wordsAt(slot)
    if (rank > 0 && this.#unranked.has(slot)) this.count(slot)
    const isRanked = !this.#unranked.has(slot)
    const directory = start + this.#setBytes / 4
    const first = isRanked ? this.#blockOf(directory, rank) : 0
    let before = first === 0 ? 0 : (this.#words[directory + first - 1] as number)
    let skip = rank - before
    let written = 0
    for (let block = first; block < this.#blocks && written < out.length; block++) {
      if (isRanked) {
        // Most blocks of a set with few members are empty.
        const upTo = this.#words[directory + block] as number
        if (upTo === before) continue
        before = upTo
      }
      const end = start + (block + 1) * blockWords
      for (let word = end - blockWords; word < end && written < out.length; word++) {
        let bits = this.#words[word] as number
        if (skip > 0) {
          const count = popCount(bits)
          if (count <= skip) {
            skip -= count
            continue
          }
        }
        for (; bits !== 0 && written < out.length; bits &= bits - 1) {
          if (skip > 0) skip--
          else out[written++] = (word - start) * 32 + (31 - Math.clz32(bits & -bits))
        }
      }
    }
    return written
  }

  /** Returns how many members are below `at`. */
  rank(slot: Slot, at: number): number {
    if (this.#unranked.has(slot)) this.count(slot)
    const start = this.#wordsAt(slot)
    const word = at >>> 5
    const block = Math.floor(word / blockWords)
    let count = block === 0 ? 0 : (this.#words[start + this.#setBytes / 4 + block - 1] as number)
    for (let before = block * blockWords; before < word; before++) {
      count += popCount(this.#words[start + before] as number)
    }
    const bits = at & 31
    return bits === 0 ? count : count + popCount((this.#words[start + word] as number) & ((1 << bits) - 1))
  }

  /** Finds the block that contains the member of that rank, by binary search. */
  #blockOf(directory: number, rank: number): number {
    let low = 0
    let high = this.#blocks
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#words[directory + middle] as number) <= rank) low = middle + 1
      else high = middle
    }
    return low
  }

  #run(a: Slot, b: Slot, out: Slot, notA: number, notB: number, notOut: number): number {
    const bytes = this.slotBytes
    return this.#combine(a * bytes, b * bytes, out * bytes, notA, notB, notOut, this.#setBytes)
  }

  #wordsAt(slot: Slot): number {
    return (slot * this.slotBytes) / 4
  }
}

function popCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
