// In charge of the terms of every watch while the index is built: one long list in chunks, watch after watch. What
// comes up in many watches is written as one number for a group of terms, so that a watch takes about twenty numbers
// and a million of them some hundred megabytes for a while.
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import type { TermSink } from './member-groups.ts'

/** Large enough for the memory to be given back at once when it is not needed any more. */
const chunkLength = 16 * 1024 * 1024
/** For a small catalogue: V8 stops to collect garbage when much memory is taken. */
const smallChunkLength = 256 * 1024
const smallWatchCount = 8_000
const groupBit = 0x8000_0000

export interface Entries {
  /** How many watches have each group, and each term that came by itself. */
  readonly groups: OrdinalLists
  readonly terms: OrdinalLists
}

/** Rising ordinals: those of a number lie between its start and the next. */
export interface OrdinalLists {
  readonly starts: Uint32Array
  readonly ordinals: Uint32Array
}

export class WatchLists implements TermSink {
  readonly #chunks: Uint32Array[] = []
  /** Where the list of each watch ends. */
  readonly #ends: Uint32Array
  readonly #chunkLength: number
  #chunk = new Uint32Array()
  #length = 0
  #watches = 0

  constructor(watchCount: number) {
    this.#ends = new MemoryBlocks().words(watchCount)
    this.#chunkLength = watchCount <= smallWatchCount ? smallChunkLength : chunkLength
  }

  push(term: number): void {
    this.#append(term)
  }

  pushGroup(group: number): void {
    this.#append(group | groupBit)
  }

  endWatch(): void {
    this.#ends[this.#watches++] = this.#length
  }

  /** Turned around: for each group and each term the watches that have it. */
  turn(groupCount: number, termCount: number): Entries {
    const groups = startLists(groupCount)
    const terms = startLists(termCount)
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

  #append(entry: number): void {
    const at = this.#length++ % this.#chunkLength
    if (at === 0) {
      this.#chunk = new Uint32Array(this.#chunkLength)
      this.#chunks.push(this.#chunk)
    }
    this.#chunk[at] = entry
  }

  #filled(): [chunk: Uint32Array, length: number][] {
    return this.#chunks.map((chunk, at) => [chunk, Math.min(chunk.length, this.#length - at * chunk.length)])
  }
}

function startLists(count: number): Uint32Array {
  return new Uint32Array(count + 1)
}

/** From how many each has to where each begins; the last says where all end. */
function sumUp(counts: Uint32Array): Uint32Array {
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] as number) + (counts[at - 1] as number)
  return counts
}
