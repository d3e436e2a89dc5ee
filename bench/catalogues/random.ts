// Reproducible random numbers: a seeded generator, weighted choices and Zipf distributions, the same on every machine.
// Never uses Math.random.

/** Returns the next number in [0, 1). The sequence depends only on the seed. */
export type Random = () => number

/** Mulberry32. The seed is hashed first, so that neighbouring seeds give unrelated sequences. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function integerBetween(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T
}

/** Draws an item by weight. Build it once and draw often. */
export type Draw<T> = (random: Random) => T

export function weighted<T>(entries: readonly (readonly [T, number])[]): Draw<T> {
  let sum = 0
  const edges = Float64Array.from(entries, ([, weight]) => {
    sum += weight
    return sum
  })
  return (random) => {
    const target = random() * sum
    let low = 0
    let high = edges.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((edges[middle] as number) > target) high = middle
      else low = middle + 1
    }
    return (entries[low] as readonly [T, number])[0]
  }
}

/** Zipf distribution: the first item is the most frequent, the n-th has 1/n^exponent of its frequency. */
export function zipf<T>(items: readonly T[], exponent: number): Draw<T> {
  return weighted(items.map((item, rank) => [item, 1 / (rank + 1) ** exponent] as const))
}
