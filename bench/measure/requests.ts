// Draws combinations of one to four spec filters, taken from a random watch of the catalogue, so that each matches
// something and common values are requested often.
import { generateBrands } from '../catalogues/generated-brands.ts'
import { type GeneratedWatch, watchGenerator } from '../catalogues/generated-watch.ts'
import { integerBetween, pick, type Random } from '../catalogues/random.ts'
import { meaningOf } from '../catalogues/spec-spellings.ts'

export interface Combination {
  /** Query string without a page. */
  readonly query: string
  /** The same for all spellings and orders of the same filters. */
  readonly meaning: string
}

export interface Source {
  readonly watchAt: (id: number) => GeneratedWatch
  readonly count: number
}

const filtersMax = 4
/** After this many draws without a new combination, the catalogue is considered exhausted. */
const vainMax = 1_000_000

export async function sourceOf(count: number): Promise<Source> {
  return { watchAt: watchGenerator(await generateBrands()), count }
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
  }
}

/** Draws a combination whose meaning is not in `seen`, and adds it. */
export function drawNewCombination(random: Random, source: Source, seen: Set<string>): Combination {
  for (let vain = 0; vain < vainMax; vain++) {
    const combination = drawCombination(random, source)
    if (seen.has(combination.meaning)) continue
    seen.add(combination.meaning)
    return combination
  }
  throw new Error(`the catalogue has only ${seen.size} distinct combinations`)
}
