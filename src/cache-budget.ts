// The memory of all caches together, in bytes: whichever cache is the largest gives way when there is too much. So one
// setting bounds them all, and a cache that nobody needs takes nothing from the others.

import { totalmem } from 'node:os'

const cacheShare = 128
const cacheMbMin = 32
const cacheMbMax = 512
export const megabyte: number = 1024 * 1024

/** The memory of the machine, or of the container that limits it. */
export function availableMemoryBytes(): number {
  // 0 where nothing limits the process.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** How many megabytes the caches of a machine with that much memory may take, unless the operator says otherwise. */
export function cacheMbFor(memoryBytes: number): number {
  const share = Math.floor(memoryBytes / cacheShare / megabyte)
  return Math.min(Math.max(share, cacheMbMin), cacheMbMax)
}

export interface SharedCache {
  readonly bytes: number
  /** Drops one entry. */
  evict(): void
}

export class CacheBudget {
  readonly maxBytes: number
  readonly #caches = new Map<string, SharedCache>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Adds a cache, or replaces the one of that name. */
  share(name: string, cache: SharedCache): void {
    this.#caches.set(name, cache)
  }

  /** The bytes of each cache. */
  get bytesByName(): ReadonlyMap<string, number> {
    return new Map([...this.#caches].map(([name, { bytes }]) => [name, bytes]))
  }

  /** Evicts until all caches together are within the budget. Call it after a cache has grown. */
  settle(): void {
    while (this.#total() > this.maxBytes && this.#evictOne());
  }

  /** The largest cache gives way, or the next one where that cannot. Returns false where none can. */
  #evictOne(): boolean {
    const largestFirst = [...this.#caches.values()].sort((one, other) => other.bytes - one.bytes)
    return largestFirst.some((cache) => {
      const before = cache.bytes
      cache.evict()
      return cache.bytes < before
    })
  }

  #total(): number {
    let total = 0
    for (const { bytes } of this.#caches.values()) total += bytes
    return total
  }
}
