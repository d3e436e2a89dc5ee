// Maps each member of `specs`, `"key":value` in the bytes of its JSON, to the group of its terms. A million watches
// repeat the same few thousand members, so the terms of each are derived only once. A known member is found by its hash
// and by comparing bytes in place, without decoding it.
import { fnvPrime, fnvStart, mixHash, place, twice } from './term-table.ts'

export interface ByteRange {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** Receives the terms of a watch: single terms, and groups of terms that occur together in many watches. */
export interface TermSink {
  push(term: number): void
  pushGroup(group: number): void
}

const [quote, comma, backslash] = [...'",\\'].map((character) => character.charCodeAt(0))
const [openBracket, closeBracket, openBrace, closeBrace] = [...'[]{}'].map((one) => one.charCodeAt(0))

export class MemberGroups {
  readonly #groupOf: (member: string) => number
  readonly #groups: number[] = []
  /** The known members, concatenated; each begins where the previous one ends. */
  #texts = Buffer.allocUnsafeSlow(64 * 1024)
  readonly #ends: number[] = []
  #hashes = new Int32Array(1024)
  /** Open addressing: the number of the member + 1, or 0 for an empty slot. */
  #places = new Int32Array(2048)

  /** `groupOf` is called once for each distinct member. */
  constructor(groupOf: (member: string) => number) {
    this.#groupOf = groupOf
  }

  /** Pushes the group of each member of the object. The bytes must be valid JSON; other values have no members. */
  visit({ bytes, from, to }: ByteRange, into: TermSink): void {
    let start = startOfObject(bytes, from, to)
    let depth = 0
    let hash = fnvStart
    let isInString = false
    for (let at = start; at < to; at++) {
      const byte = bytes[at] as number
      if (isInString) {
        if (byte === quote) isInString = false
        else if (byte === backslash) {
          // The escaped character, which may be a quotation mark, belongs to the string.
          at++
          hash = Math.imul(Math.imul(hash ^ byte, fnvPrime) ^ (bytes[at] as number), fnvPrime)
          continue
        }
      } else if (byte === quote) isInString = true
      else if (depth === 0 && (byte === comma || byte === closeBrace)) {
        if (hash !== fnvStart) into.pushGroup(this.#find(bytes, start, at, mixHash(hash)))
        if (byte === closeBrace) return
        start = at + 1
        hash = fnvStart
        continue
      } else if (byte === openBracket || byte === openBrace) depth++
      else if (byte === closeBracket || byte === closeBrace) depth--
      hash = Math.imul(hash ^ byte, fnvPrime)
    }
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const number = (this.#places[at] as number) - 1
      if (number === -1) return this.#add(bytes, start, end, hash)
      if (this.#hashes[number] === hash && this.#isMember(number, bytes, start, end)) {
        return this.#groups[number] as number
      }
    }
  }

  #isMember(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#startOf(number)
    if ((this.#ends[number] as number) - from !== end - start) return false
    const texts = this.#texts
    for (let at = start; at < end; at++) if (bytes[at] !== texts[from + at - start]) return false
    return true
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const member = Buffer.from(bytes.subarray(start, end))
    const group = this.#groupOf(member.toString())
    const number = this.#groups.push(group) - 1
    const from = this.#startOf(number)
    if (from + member.length > this.#texts.length) {
      this.#texts = Buffer.concat([this.#texts], Math.max(from + member.length, this.#texts.length * 2))
    }
    this.#texts.set(member, from)
    this.#ends.push(from + member.length)
    if (number === this.#hashes.length) this.#grow()
    this.#hashes[number] = hash
    place(this.#places, this.#hashes, number)
    return group
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #grow(): void {
    const count = this.#hashes.length
    this.#hashes = twice(this.#hashes)
    this.#places = new Int32Array(this.#places.length * 2)
    for (let number = 0; number < count; number++) place(this.#places, this.#hashes, number)
  }
}

/** Returns the position after the opening brace, or `to` if the value is not an object. */
function startOfObject(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === openBrace) return at + 1
    const isWhiteSpace = (bytes[at] as number) <= 0x20
    if (!isWhiteSpace) return to
  }
  return to
}
