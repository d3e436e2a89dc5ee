// Stores many lists of numbers, each under a numeric key, in three typed arrays that can be passed between threads.
// Items added after the build are stored in a separate Map.
import type { MemoryBlocks } from './memory-blocks.ts'

export interface ListsParts {
  /** In ascending order. */
  readonly keys: Uint32Array
  /** The list of `keys[n]` is `items` from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Uint32Array
  readonly items: Uint32Array
}

export class Lists {
  readonly #parts: ListsParts
  readonly #added = new Map<number, number[]>()

  constructor(parts: ListsParts) {
    this.#parts = parts
  }

  get(key: number): number[] {
    const { start, end } = this.span(key)
    const built = Array.from(this.#parts.items.subarray(start, end))
    const added = this.#added.get(key)
    return added === undefined ? built : [...built, ...added]
  }

  /** Returns the range of `items` that holds the list, without items added after the build. */
  span(key: number): { start: number; end: number } {
    const { keys, starts } = this.#parts
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((keys[middle] as number) < key) low = middle + 1
      else high = middle
    }
    if (keys[low] !== key) return { start: 0, end: 0 }
    return { start: starts[low] as number, end: starts[low + 1] as number }
  }

  add(key: number, item: number): void {
    const list = this.#added.get(key)
    if (list === undefined) this.#added.set(key, [item])
    else list.push(item)
  }
}

export function packLists(memory: MemoryBlocks, lists: ReadonlyMap<number, readonly number[]>): ListsParts {
  const keys = memory.words(lists.size)
  keys.set([...lists.keys()].sort((one, other) => one - other))
  const starts = memory.words(lists.size + 1)
  keys.forEach((key, at) => {
    starts[at + 1] = (starts[at] as number) + (lists.get(key) as readonly number[]).length
  })
  const items = memory.words(starts[lists.size] as number)
  keys.forEach((key, at) => {
    items.set(lists.get(key) as readonly number[], starts[at])
  })
  return { keys, starts, items }
}
