// In charge of chance that comes out the same on every machine: numbers from a seed, choices by weight,
// and the skew of popular things (Zipf). Never Math.random.

/** Numbers from 0 up to 1, forever the same ones for a seed. */
export type Random = () => number

/** Mulberry32, behind a mix that keeps neighbouring seeds from resembling each other. */
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

/** Draws by weight; made once, drawn from often. */
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

/** The first item is the most popular, the n-th has 1/n^exponent of its share. */
export function zipf<T>(items: readonly T[], exponent: number): Draw<T> {
  return weighted(items.map((item, rank) => [item, 1 / (rank + 1) ** exponent] as const))
}
