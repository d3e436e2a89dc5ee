// Stores many lists of numbers, each under a numeric key. Built lists are three typed arrays that can be passed between
// threads; items added later are stored in a Map, from which `pack` builds the arrays.
import type { MemoryBlocks } from './memory-blocks.ts'
import { lowerBound } from './watch-set.ts'

export interface ListsParts {
  /** In ascending order. */
  readonly keys: Uint32Array
  /** The list of `keys[n]` is `items` from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Uint32Array
  readonly items: Uint32Array
}

const none = new Uint32Array()
const noItems: readonly number[] = []

export class Lists {
  readonly #parts: ListsParts
  readonly #added = new Map<number, number[]>()

  constructor(parts: ListsParts = { keys: none, starts: none, items: none }) {
    this.#parts = parts
  }

  /** Returns the list without the items added after the build. */
  built(key: number): Uint32Array {
    const { start, end } = this.span(key)
    return this.#parts.items.subarray(start, end)
  }

  added(key: number): readonly number[] {
    return this.#added.get(key) ?? noItems
  }

  /** The keys of all lists that have added items. */
  addedKeys(): Iterable<number> {
    return this.#added.keys()
  }

  /** Returns the range of `items` that holds the built list. */
  span(key: number): { start: number; end: number } {
    const { keys, starts } = this.#parts
    const at = lowerBound(keys, key, 0)
    if (keys[at] !== key) return { start: 0, end: 0 }
    return { start: starts[at] as number, end: starts[at + 1] as number }
  }

  add(key: number, item: number): void {
    this.#added.getOrInsertComputed(key, () => []).push(item)
  }

  /** Packs the added items, each list as `arrange` returns it. */
  pack(memory: MemoryBlocks, arrange: (list: readonly number[]) => ArrayLike<number>): ListsParts {
    const lists = [...this.#added]
      .sort(([one], [other]) => one - other)
      .map(([key, list]) => [key, arrange(list)] as const)
    const keys = memory.copyOfWords(Uint32Array.from(lists, ([key]) => key))
    const starts = memory.words(lists.length + 1)
    lists.forEach(([, list], at) => {
      starts[at + 1] = (starts[at] as number) + list.length
    })
    const items = memory.words(starts[lists.length] as number)
    lists.forEach(([, list], at) => {
      items.set(list, starts[at])
    })
    return { keys, starts, items }
  }
}
