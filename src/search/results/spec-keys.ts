// In charge of the spec dictionary: every key that a watch has, what kind of values it takes, in which unit, how many
// there are, and a few of them.
import { unitOf } from '../../specs/quantities.ts'
import { keyOf, meaningOf } from '../index/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { listValues } from './facets.ts'

export interface SpecKey {
  readonly key: string
  readonly type: SpecType
  /** In which quantities of this key are read when they have none. */
  readonly unit: string | null
  readonly watches_count: number
  readonly values_count: number
  readonly examples: readonly unknown[]
}

type SpecType = 'text' | 'number' | 'quantity' | 'boolean'

const examplesMax = 5
/** Keys that are told of; the set of keys is open, the answer is not. */
const keysMax = 10_000
const keyBytes = 400

/** Every key, the most frequent first. */
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

/** None where no watch has the key any more. */
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

/** What most of its values are, each counted as often as a watch has it. */
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
