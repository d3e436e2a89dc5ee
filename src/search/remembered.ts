// In charge of what is remembered of one version of the catalogue: the sets of recent filter combinations, their
// orders and counts, within a budget of bytes. A change forgets all of it.
import type { Slots } from './slots.ts'
import type { WatchSet } from './watch-set.ts'

interface Entry {
  readonly value: unknown
  readonly bytes: number
  readonly set: WatchSet | undefined
}

/** What an entry costs besides its contents: its key and its place. */
const entryBytes = 200

export class Remembered {
  readonly #slots: Slots
  readonly #bytesMax: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(slots: Slots, bytesMax: number) {
    this.#slots = slots
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The set of that name, made when it is not known. A slot it has must be its own. */
  set(name: string, make: () => WatchSet): WatchSet {
    return this.#get(`=${name}`, make, (set) => ({
      set,
      bytes: set.slot === undefined ? set.ordinals.byteLength : this.#slots.slotBytes,
    }))
  }

  ordinals(name: string, make: () => Uint32Array): Uint32Array {
    return this.#get(`<${name}`, make, ({ byteLength }) => ({ bytes: byteLength }))
  }

  /** Anything else; `sizeOf` tells about how many bytes it takes. */
  value<T>(name: string, make: () => T, sizeOf: (made: T) => number): T {
    return this.#get(`#${name}`, make, (made) => ({ bytes: sizeOf(made) }))
  }

  /**
   * Forgets what was asked for longest ago until the budget holds. To be called between requests, never during one:
   * a set that is in use must not lose its slot.
   */
  trim(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return
      this.#forget(name, entry)
    }
  }

  clear(): void {
    for (const [name, entry] of this.#entries) this.#forget(name, entry)
  }

  #get<T>(name: string, make: () => T, cost: (made: T) => { bytes: number; set?: WatchSet }): T {
    const known = this.#entries.get(name)
    if (known !== undefined) {
      // To the end of the line: the Map keeps the order in which names were put.
      this.#entries.delete(name)
      this.#entries.set(name, known)
      return known.value as T
    }
    const value = make()
    const { bytes, set } = cost(value)
    const total = bytes + entryBytes + name.length * 2
    this.#entries.set(name, { value, bytes: total, set })
    this.#bytes += total
    return value
  }

  #forget(name: string, { bytes, set }: Entry): void {
    this.#entries.delete(name)
    this.#bytes -= bytes
    if (set?.slot !== undefined) this.#slots.free(set.slot)
  }
}
