// In charge of "did you mean": the spec keys of a query that no watch has, each with the key it is most like.
import { findNearest } from '../../specs/near-texts.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { listKeys } from './spec-keys.ts'

export interface UnknownKey {
  readonly key: string
  readonly suggestion: string | undefined
}

/** Keys that are compared, the most frequent first. */
const comparedMax = 1_000

/** `unknown` are keys that no watch has. */
export function suggestKeys(index: WatchIndex, unknown: Iterable<string>): UnknownKey[] {
  const known = listKeys(index)
    .slice(0, comparedMax)
    .map(({ key }) => key)
  return [...new Set(unknown)].map((key) => ({ key, suggestion: findNearest(key, known) }))
}
