// Implements "did you mean": suggests the most similar known spec key for each key that no watch has.
import { findNearest } from '../../specs/near-texts.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { listKeys } from './spec-keys.ts'

export interface UnknownKey {
  readonly key: string
  readonly suggestion: string | undefined
}

/** The maximum number of known keys compared, the most frequent first. */
const comparedMax = 1_000

/** `unknown` must be keys that no watch has. */
export function suggestKeys(index: WatchIndex, unknown: Iterable<string>): UnknownKey[] {
  const known = listKeys(index)
    .slice(0, comparedMax)
    .map(({ key }) => key)
  return [...new Set(unknown)].map((key) => ({ key, suggestion: findNearest(key, known) }))
}
