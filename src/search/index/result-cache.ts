// In charge of what is remembered of one version of the catalogue: the sets of recent filter combinations, their
// orders and counts, within a budget of bytes. A change forgets all of it.

import type { Slot, Slots } from '../sets/slots.ts'
import { settle, type WatchSet } from '../sets/watch-set.ts'
import { RepeatFilter } from './repeat-filter.ts'

interface Entry {
  readonly value: unknown
  readonly bytes: number
  readonly set: WatchSet | undefined
}

/** What an entry costs besides its contents: its key and its place. */
const entryBytes = 200

export class ResultCache {
  readonly #slots: Slots
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  readonly #seen = new RepeatFilter()
  /** Slots of sets that are not remembered. */
  readonly #lent: Slot[] = []
  #bytes = 0

  constructor(slots: Slots, bytesMax: number) {
    this.#slots = slots
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * The set of that name, made when it is not known. A slot it has must be its own. What is asked for the first time
   * is only lent until the next request: most combinations never come again, and a slot that is used at once for the
   * next one is still in the processor's memory.
   */
  set(name: string, make: () => WatchSet): WatchSet {
    // Sooner known than whether it is among the entries.
    if (!this.#seen.note(name)) return this.#lend(make())
    const known = this.#touch(`=${name}`)
    if (known !== undefined) return known.value as WatchSet
    const set = settle(this.#slots, make())
    this.#add(`=${name}`, set, set.slot === undefined ? set.ordinals.byteLength : this.#slots.slotBytes, set)
    return set
  }

  ordinals(name: string, make: () => Uint32Array): Uint32Array {
    return this.#get(`<${name}`, make, ({ byteLength }) => byteLength)
  }

  /** Anything else; `sizeOf` tells about how many bytes it takes. */
  value<T>(name: string, make: () => T, sizeOf: (made: T) => number): T {
    return this.#get(`#${name}`, make, sizeOf)
  }

  /**
   * Forgets what was asked for longest ago until the budget holds. To be called between requests, never during one:
   * a set that is in use must not lose its slot.
   */
  trim(): void {
    this.#takeBack()
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return
      this.#forget(name, entry)
    }
  }

  clear(): void {
    this.#takeBack()
    for (const [name, entry] of this.#entries) this.#forget(name, entry)
  }

  #get<T>(name: string, make: () => T, sizeOf: (made: T) => number): T {
    const known = this.#touch(name)
    if (known !== undefined) return known.value as T
    const value = make()
    this.#add(name, value, sizeOf(value), undefined)
    return value
  }

  /** The entry, moved to the end of the line: the Map keeps the order in which names were put. */
  #touch(name: string): Entry | undefined {
    const known = this.#entries.get(name)
    if (known === undefined) return undefined
    this.#entries.delete(name)
    this.#entries.set(name, known)
    return known
  }

  #add(name: string, value: unknown, bytes: number, set: WatchSet | undefined): void {
    const total = bytes + entryBytes + name.length * 2
    this.#entries.set(name, { value, bytes: total, set })
    this.#bytes += total
  }

  #lend(set: WatchSet): WatchSet {
    if (set.slot !== undefined) this.#lent.push(set.slot)
    return set
  }

  #takeBack(): void {
    for (const slot of this.#lent) this.#slots.free(slot)
    this.#lent.length = 0
  }

  #forget(name: string, { bytes, set }: Entry): void {
    this.#entries.delete(name)
    this.#bytes -= bytes
    if (set?.slot !== undefined) this.#slots.free(set.slot)
  }
}
