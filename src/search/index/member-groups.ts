// In charge of the members of `specs`, `"key":value`, read from the bytes of its JSON: a million watches have the same
// few thousand members over and over, and the terms of one that has been seen before are known as a group. Nothing is
// cut out or decoded for that: a member is known by its hash, and by comparing it where it stands.
import type { ByteRange } from './rows.ts'
import { fnvPrime, fnvStart, mixHash } from './term-table.ts'

/** Where the terms of a watch go: single ones, and groups of them that many watches have together. */
export interface TermSink {
  push(term: number): void
  pushGroup(group: number): void
}

const [quote, comma, backslash] = [...'",\\'].map((character) => character.charCodeAt(0))
const [openBracket, closeBracket, openBrace, closeBrace] = [...'[]{}'].map((one) => one.charCodeAt(0))

export class MemberGroups {
  readonly #groupOf: (member: string) => number
  readonly #groups: number[] = []
  /** The members seen, one after the other; each begins where the one before ends. */
  #texts = Buffer.allocUnsafeSlow(64 * 1024)
  readonly #ends: number[] = []
  #hashes = new Int32Array(1024)
  /** Open addressing: number + 1, or 0 where there is none. */
  #places = new Int32Array(2048)

  /** `groupOf` is asked once for each member. */
  constructor(groupOf: (member: string) => number) {
    this.#groupOf = groupOf
  }

  /** Pushes the group of each member of the object. The bytes must be JSON; what is not an object has none. */
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
          // Whatever follows, a quotation mark among them, belongs to the string.
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
    this.#place(number)
    return group
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #grow(): void {
    const count = this.#hashes.length
    const larger = new Int32Array(count * 2)
    larger.set(this.#hashes)
    this.#hashes = larger
    this.#places = new Int32Array(this.#places.length * 2)
    for (let number = 0; number < count; number++) this.#place(number)
  }

  #place(number: number): void {
    const mask = this.#places.length - 1
    let at = (this.#hashes[number] as number) & mask
    while (this.#places[at] !== 0) at = (at + 1) & mask
    this.#places[at] = number + 1
  }
}

/** Behind the brace that opens the object; at the end where there is none. */
function startOfObject(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (bytes[at] === openBrace) return at + 1
    if (!isWhiteSpace(bytes[at] as number)) return to
  }
  return to
}

function isWhiteSpace(byte: number): boolean {
  return byte <= 0x20
}
