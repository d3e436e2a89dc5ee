// Draws the requests of a benchmark: combinations of one to four spec filters, taken from a random watch of the
// catalogue, so that each matches something and common values are requested often.
import type { GeneratedWatch } from '../catalogues/generated-watch.ts'
import { integerBetween, pick, type Random } from '../catalogues/random.ts'
import { meaningOf } from '../catalogues/spec-spellings.ts'

export interface Combination {
  /** Query string without a page. */
  readonly query: string
  /** The same for all spellings and orders of the same filters. */
  readonly meaning: string
  readonly filters: number
}

const filtersMax = 4
/** After this many draws without a new combination, the catalogue is considered exhausted. */
const vainMax = 1_000_000

export interface Source {
  readonly watchAt: (id: number) => GeneratedWatch
  readonly count: number
}

export function drawCombination(random: Random, { watchAt, count }: Source): Combination {
  const { specs } = watchAt(integerBetween(random, 1, count))
  const keys = Object.keys(specs)
  const wanted = integerBetween(random, 1, filtersMax)
  const chosen = new Map<string, string>()
  while (chosen.size < wanted) {
    const key = pick(random, keys)
    const value = specs[key]
    if (!chosen.has(key)) chosen.set(key, String(Array.isArray(value) ? pick(random, value) : value))
  }
  return {
    query: [...chosen].map(([key, value]) => `spec[${key}]=${encodeURIComponent(value)}`).join('&'),
    meaning: [...chosen]
      .map(([key, value]) => `${key}=${meaningOf(key, value)}`)
      .sort()
      .join('&'),
    filters: wanted,
  }
}

/** Draws combinations with distinct meanings, none of which is in `seen`, in random order. */
export function drawDistinct(
  random: Random,
  source: Source,
  wanted: number,
  seen: Set<string>,
): Combination[] {
  const drawn: Combination[] = []
  for (let vain = 0; drawn.length < wanted; ) {
    const combination = drawCombination(random, source)
    if (seen.has(combination.meaning)) {
      if (++vain === vainMax) throw new Error(`the catalogue has only ${drawn.length} distinct combinations`)
    } else {
      seen.add(combination.meaning)
      drawn.push(combination)
    }
  }
  // Combinations of one filter run out early; without shuffling they would all come first.
  return shuffle(random, drawn)
}

function shuffle<T>(random: Random, items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = integerBetween(random, 0, last)
    ;[items[last], items[other]] = [items[other] as T, items[last] as T]
  }
  return items
}

/** The path of a random existing page. */
export function pathOf(random: Random, { query }: Combination, total: number, perPage: number): string {
  const page = integerBetween(random, 1, Math.max(1, Math.ceil(total / perPage)))
  return `/api/v1/watches?${query}&page=${page}`
}
