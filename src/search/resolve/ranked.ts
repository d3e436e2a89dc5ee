// The watches that a title may mean, best first, and how the probability is shared among several that fit.
import type { Comparison } from './compare.ts'

export interface RankedWatch {
  readonly ordinal: number
  readonly confidence: number
  readonly reasons: readonly string[]
}

export interface Ranked {
  readonly match: 'exact' | 'likely' | 'ambiguous' | 'none'
  readonly candidates: readonly RankedWatch[]
}

export const candidatesMax = 5

export function byScore(one: Comparison, other: Comparison): number {
  return other.score - one.score || one.facts.ordinal - other.facts.ordinal
}

/** Shares the probability `mass` among the watches: each point of score doubles what a watch gets, and more. */
export function shared(
  compared: readonly Comparison[],
  mass: number,
  reasonsOf: (one: Comparison) => readonly string[],
): RankedWatch[] {
  const best = compared[0]?.score ?? 0
  const parts = compared.map(({ score }) => Math.exp(score - best))
  const whole = parts.reduce((sum, part) => sum + part, 0)
  return compared.slice(0, candidatesMax).map((one, at) => ({
    ordinal: one.facts.ordinal,
    confidence: (mass * (parts[at] as number)) / whole,
    reasons: reasonsOf(one),
  }))
}
