// Implements "did you mean": suggests the most similar known spec key for each key that no watch has.
import { findNearest } from '../../specs/near-texts.ts'
import { finish, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { splitMeant } from '../query/meant-operators.ts'
import { slicedKeys } from './spec-keys.ts'

export interface UnknownKey {
  readonly key: string
  readonly suggestion: string | undefined
}

/** The maximum number of known keys compared, the most frequent first. */
const comparedMax = 1_000

/** `unknown` must be keys that no watch has. */
export function suggestKeys(index: WatchIndex, unknown: Iterable<string>): UnknownKey[] {
  return [...new Set(unknown)].map((key) => ({ key, suggestion: finish(slicedSuggestion(index, key)) }))
}

/** Whether the suggestion for the key is known already. */
export function isSuggested(index: WatchIndex, key: string): boolean {
  return index.resultCache.hasValue(nameOf(key))
}

export function slicedSuggestion(index: WatchIndex, key: string): Sliced<string | undefined> {
  return index.resultCache.value(
    nameOf(key),
    () => findSuggestion(index, key),
    () => key.length * 2,
  )
}

function* findSuggestion(index: WatchIndex, key: string): Sliced<string | undefined> {
  // An operator of another API: `case_diameter__gte`.
  const split = splitMeant(key, (before) => index.hasKey(before))
  if (split !== undefined) return split.join(':')
  const known = yield* slicedKeys(index)
  const compared = known.slice(0, comparedMax).map((one) => one.key)
  yield
  return findNearest(key, compared)
}

function nameOf(key: string): string {
  return `suggestion ${key}`
}
