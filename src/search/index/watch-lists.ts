// Collects the terms of every watch while the index is built, then inverts them into the watches of every term. The
// terms are one long list in chunks. Terms that occur together in many watches are stored as one group number, so a
// watch takes about twenty numbers, and a million watches about a hundred megabytes during the build.

import type { TermSink } from '../dictionary/member-groups.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { sumUp } from '../sets/sort-by-number.ts'

/** Large enough for the memory to be returned to the system as soon as it is freed. */
const chunkLength = 16 * 1024 * 1024
/** For a small catalogue: V8 pauses for garbage collection when a large chunk is allocated. */
const smallChunkLength = 256 * 1024
const smallWatchCount = 8_000
const groupBit = 0x8000_0000

export interface Entries {
  /** The watches of each group, and of each term that was pushed by itself. */
  readonly groups: OrdinalLists
  readonly terms: OrdinalLists
}

/** Lists of ascending ordinals: list `n` is `ordinals` from `starts[n]` up to `starts[n + 1]`. */
export interface OrdinalLists {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
}

export class WatchLists implements TermSink {
  readonly #chunks: Uint32Array[] = []
  /** The end of the list of each watch. */
  readonly #ends: Uint32Array
  readonly #chunkLength: number
  #chunk = new Uint32Array()
  #length = 0
  #watches = 0

  constructor(watchCount: number) {
    this.#ends = new MemoryBlocks().words(watchCount)
    this.#chunkLength = watchCount <= smallWatchCount ? smallChunkLength : chunkLength
  }

  push(entry: number): void {
    const at = this.#length++ % this.#chunkLength
    if (at === 0) {
      this.#chunk = new Uint32Array(this.#chunkLength)
      this.#chunks.push(this.#chunk)
    }
    this.#chunk[at] = entry
  }

  pushGroup(group: number): void {
    this.push(group | groupBit)
  }

  endWatch(): void {
    this.#ends[this.#watches++] = this.#length
  }

  /** Inverts the lists: returns the watches of each group and of each term. */
  turn(groupCount: number, termCount: number): Entries {
    const groups = new Uint32Array(groupCount + 1)
    const terms = new Uint32Array(termCount + 1)
    for (const [chunk, length] of this.#filled()) {
      for (let at = 0; at < length; at++) {
        const entry = chunk[at] as number
        if (entry >= groupBit) groups[entry - groupBit + 1] = (groups[entry - groupBit + 1] as number) + 1
        else terms[entry + 1] = (terms[entry + 1] as number) + 1
      }
    }
    return this.#fill(sumUp(groups), sumUp(terms))
  }

  #fill(groups: Uint32Array, terms: Uint32Array): Entries {
    const groupOrdinals = new Uint32Array(groups.at(-1) as number)
    const termOrdinals = new Uint32Array(terms.at(-1) as number)
    const [nextOfGroup, nextOfTerm] = [groups.slice(), terms.slice()]
    let ordinal = 0
    let place = 0
    for (const [chunk, length] of this.#filled()) {
      for (let at = 0; at < length; at++, place++) {
        while (place >= (this.#ends[ordinal] as number)) ordinal++
        const entry = chunk[at] as number
        if (entry >= groupBit) {
          const next = nextOfGroup[entry - groupBit] as number
          groupOrdinals[next] = ordinal
          nextOfGroup[entry - groupBit] = next + 1
        } else {
          const next = nextOfTerm[entry] as number
          termOrdinals[next] = ordinal
          nextOfTerm[entry] = next + 1
        }
      }
    }
    return {
      groups: { starts: groups, ordinals: groupOrdinals },
      terms: { starts: terms, ordinals: termOrdinals },
    }
  }

  #filled(): [chunk: Uint32Array, length: number][] {
    return this.#chunks.map((chunk, at) => [chunk, Math.min(chunk.length, this.#length - at * chunk.length)])
  }
}
