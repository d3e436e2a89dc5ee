// Builds the spec dictionary: every spec key in use, with the type of its values, its unit, the number of watches and
// values, and a few example values.
import { unitOf } from '../../specs/quantities.ts'
import { keyOf, meaningOf } from '../index/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { listValues } from './facets.ts'

export interface SpecKey {
  readonly key: string
  readonly type: SpecType
  /** The unit of values of this key that are given without one. */
  readonly unit: string | null
  readonly watches_count: number
  readonly values_count: number
  readonly examples: readonly unknown[]
}

type SpecType = 'text' | 'number' | 'quantity' | 'boolean'

const examplesMax = 5
/** The maximum number of keys returned: a catalogue may have any number of keys, so the response needs a limit. */
const keysMax = 10_000
const keyBytes = 400

/** Returns every key, the most frequent first. */
export function listKeys(index: WatchIndex): readonly SpecKey[] {
  return index.resultCache.value(
    'keys',
    () =>
      index.dictionary.keys
        .flatMap((term) => describeKey(index, term))
        .sort((one, other) => other.watches_count - one.watches_count || (one.key < other.key ? -1 : 1))
        .slice(0, keysMax),
    (made) => made.length * keyBytes,
  )
}

/** Returns an empty list if no watch has the key any more. */
function describeKey(index: WatchIndex, term: number): SpecKey[] {
  const key = keyOf(index.dictionary.text(term))
  const watches_count = index.postings.count(term)
  if (watches_count === 0) return []
  const { total, values } = listValues(index, key, 0, examplesMax)
  return [
    {
      key,
      type: typeOf(index, term, key),
      unit: unitOf(key) ?? null,
      watches_count,
      values_count: total,
      examples: values.map(({ value }) => value),
    },
  ]
}

/** Returns the most frequent type of the key's values, weighted by the number of watches. */
function typeOf(index: WatchIndex, keyNumber: number, key: string): SpecType {
  const counts: Record<SpecType, number> = { quantity: 0, number: 0, boolean: 0, text: 0 }
  for (const term of index.dictionary.valuesOf(keyNumber)) {
    counts[kindOf(meaningOf(index.dictionary.text(term), key))] += index.postings.count(term)
  }
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  const [[type] = ['text']] = found.sort(([, one], [, other]) => other - one)
  return type as SpecType
}

function kindOf(meaning: string): SpecType {
  if (meaning === 'ttrue' || meaning === 'tfalse') return 'boolean'
  return meaning.startsWith('q') ? 'quantity' : meaning.startsWith('n') ? 'number' : 'text'
}
