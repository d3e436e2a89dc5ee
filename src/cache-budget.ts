// The memory of all caches together, in bytes: when there is too much, the cache gives way that is largest for its share.
// So one setting bounds them all, and a cache that nobody needs takes nothing from the others.

import { totalmem } from 'node:os'

const cacheShare = 192
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

/**
 * The share of the budget that each cache may take. Most is for the answers: a byte of them saves the most time, the whole
 * work of a request. A set of matches may take as much memory as twenty answers, and is found again in 50 µs; the memory
 * of sets and ranges is never returned to the system either, only used again.
 */
const shares = { answers: 1, ranges: 1 / 4, results: 1 / 16 }

export type CacheName = keyof typeof shares

export class CacheBudget {
  readonly maxBytes: number
  readonly #caches = new Map<CacheName, SharedCache>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Adds a cache, or replaces the one of that name. */
  share(name: CacheName, cache: SharedCache): void {
    this.#caches.set(name, cache)
  }

  /** The bytes of each cache. */
  get bytesByName(): ReadonlyMap<CacheName, number> {
    return new Map([...this.#caches].map(([name, { bytes }]) => [name, bytes]))
  }

  /** Evicts until each cache is within its share, and all together are within the budget. Call it after one has grown. */
  settle(): void {
    for (const [name, cache] of this.#caches) {
      while (cache.bytes > this.maxBytes * shares[name] && hasEvicted(cache));
    }
    while (this.#total() > this.maxBytes && this.#evictOne());
  }

  /** The cache that is largest for its share gives way, or the next one where that cannot. False where none can. */
  #evictOne(): boolean {
    const largestFirst = [...this.#caches]
      .map(([name, cache]) => ({ cache, filled: cache.bytes / shares[name] }))
      .sort((one, other) => other.filled - one.filled)
    return largestFirst.some(({ cache }) => hasEvicted(cache))
  }

  #total(): number {
    let total = 0
    for (const { bytes } of this.#caches.values()) total += bytes
    return total
  }
}

function hasEvicted(cache: SharedCache): boolean {
  const before = cache.bytes
  cache.evict()
  return cache.bytes < before
}
