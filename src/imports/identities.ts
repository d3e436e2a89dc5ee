// Maps the identity of a row to the id of its watch: a hash table of 64-bit hashes in typed arrays, with every identity
// of the catalogue and of the files. A Map of strings would take several times the memory, and asking the database
// would take a query per row.
import { randomInt } from 'node:crypto'
import { Failure } from '../errors.ts'

/** The slot of an identity in the table. It is valid until the next `put`, which may grow the table. */
export type Place = number

/** The id of an identity that two watches of the catalogue share: a row with it could mean either. */
export const ambiguousId = 0xffff_ffff
/** The id of a watch that is not in the database yet. */
export const newId = 0

const placesMin = 1 << 12
const idSetBytesMin = 1 << 16
/** Somewhat more watches than the service can hold in memory. */
const identitiesMax = 8_000_000
const fullShare = 0.75

export class Identities {
  /** Random for each table, so that nobody can craft a file whose identities collide. */
  readonly #seeds = [randomInt(2 ** 32), randomInt(2 ** 32)] as const
  #low = new Uint32Array(placesMin)
  #high = new Uint32Array(placesMin)
  #ids = new Uint32Array(placesMin)
  /** Line and file number of the last row with the identity; 0 if no row had it. */
  #lines = new Uint32Array(placesMin)
  #files = new Uint16Array(placesMin)
  #count = 0

  get count(): number {
    return this.#count
  }

  find(identity: string): Place | undefined {
    const [low, high] = this.#hash(identity)
    const place = this.#seek(low, high)
    return this.#isTaken(place) ? place : undefined
  }

  /** Returns the slot of the identity, and adds it with `id` if it is missing. */
  put(identity: string, id: number): { place: Place; isNew: boolean } {
    if (this.#count >= this.#low.length * fullShare) this.#grow()
    const [low, high] = this.#hash(identity)
    const place = this.#seek(low, high)
    if (this.#isTaken(place)) return { place, isNew: false }
    if (this.#count === identitiesMax) {
      throw new Failure(
        `The files have more than ${identitiesMax} watches, which is more than can be served.`,
      )
    }
    this.#count++
    this.#low[place] = low
    this.#high[place] = high
    this.setId(place, id)
    return { place, isNew: true }
  }

  /** Adds a watch of the catalogue. An identity that is already there becomes ambiguous. */
  putExisting(identity: string, id: number): void {
    const { place, isNew } = this.put(identity, id)
    if (!isNew) this.#ids[place] = ambiguousId
  }

  id(place: Place): number {
    return this.#ids[place] as number
  }

  setId(place: Place, id: number): void {
    if (id >= ambiguousId) throw new Failure(`The watch ${id} has a larger id than an import supports.`)
    this.#ids[place] = id
  }

  /** The line of the identity's last row, if that row is in the given file. */
  seenAt(place: Place, file: number): number | undefined {
    return this.#files[place] === file ? this.#lines[place] : undefined
  }

  /** Whether any file has a row with the identity. */
  isSeen(place: Place): boolean {
    return this.#files[place] !== 0
  }

  see(place: Place, file: number, line: number): void {
    this.#files[place] = file
    this.#lines[place] = line
  }

  /** Returns the slot with this hash, or the free slot where it belongs. */
  #seek(low: number, high: number): Place {
    const mask = this.#low.length - 1
    let place = low & mask
    while (this.#isTaken(place) && (this.#low[place] !== low || this.#high[place] !== high)) {
      place = (place + 1) & mask
    }
    return place
  }

  /** The upper half of a hash is never 0, so 0 marks a free slot. */
  #isTaken(place: Place): boolean {
    return this.#high[place] !== 0
  }

  #grow(): void {
    const [lows, highs, ids, lines, files] = [this.#low, this.#high, this.#ids, this.#lines, this.#files]
    const length = lows.length * 2
    this.#low = new Uint32Array(length)
    this.#high = new Uint32Array(length)
    this.#ids = new Uint32Array(length)
    this.#lines = new Uint32Array(length)
    this.#files = new Uint16Array(length)
    for (let at = 0; at < lows.length; at++) {
      if (highs[at] === 0) continue
      const place = this.#seek(lows[at] as number, highs[at] as number)
      this.#low[place] = lows[at] as number
      this.#high[place] = highs[at] as number
      this.#ids[place] = ids[at] as number
      this.#lines[place] = lines[at] as number
      this.#files[place] = files[at] as number
    }
  }

  /** Two independent 32-bit hashes. Among eight million identities, the chance of any collision is 1 in 500,000. */
  #hash(text: string): [number, number] {
    let [low, high] = this.#seeds as readonly number[] as [number, number]
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      low = Math.imul(low ^ unit, 0x9e3779b1)
      low ^= low >>> 15
      high = Math.imul(high ^ unit, 0x5f356495)
      high ^= high >>> 13
    }
    return [finish(low, 0x85ebca6b, 0xc2b2ae35), finish(high, 0xcc9e2d51, 0x1b873593) || 1]
  }
}

function finish(hash: number, one: number, other: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), one)
  mixed = Math.imul(mixed ^ (mixed >>> 13), other)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A set of watch ids as a bitmap, with one bit for each id. */
export class IdSet {
  #bits = new Uint8Array(idSetBytesMin)

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
