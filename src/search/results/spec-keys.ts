// Builds the spec dictionary: every spec key in use, with the type of its values, its unit, the number of watches and
// values, and a few example values.
import { unitOf } from '../../specs/quantities.ts'
import { keyOf, specTerm } from '../dictionary/terms.ts'
import { finish, inChunks, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { spell } from './facets.ts'

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
const keysName = 'keys'
/** Values looked at between two pauses. */
const pauseValues = 2_000

/** Returns every key, the most frequent first. */
export function listKeys(index: WatchIndex): readonly SpecKey[] {
  return finish(slicedKeys(index))
}

export function* slicedKeys(index: WatchIndex): Sliced<readonly SpecKey[]> {
  return yield* index.resultCache.value(
    keysName,
    () => describeKeys(index),
    (made) => made.length * keyBytes,
  )
}

export function areKeysListed(index: WatchIndex): boolean {
  return index.resultCache.hasValue(keysName)
}

function* describeKeys(index: WatchIndex): Sliced<readonly SpecKey[]> {
  const keys: SpecKey[] = []
  for (const term of index.dictionary.keys) {
    // A key that no watch has any more is left out.
    if (index.postings.count(term) > 0) keys.push(yield* describeKey(index, term))
  }
  return keys
    .sort((one, other) => other.watches_count - one.watches_count || (one.key < other.key ? -1 : 1))
    .slice(0, keysMax)
}

function* describeKey(index: WatchIndex, keyNumber: number): Sliced<SpecKey> {
  const { dictionary, postings } = index
  const key = keyOf(dictionary.text(keyNumber))
  const kindAt = specTerm(key, '').length
  const booleans = ['ttrue', 'tfalse'].map((meaning) => dictionary.find(specTerm(key, meaning)))
  const counts: Record<SpecType, number> = { quantity: 0, number: 0, boolean: 0, text: 0 }
  const examples: { term: number; count: number }[] = []
  let total = 0
  const values = dictionary.valuesOf(keyNumber)
  yield* inChunks(values.length, pauseValues, (at) => {
    const term = values[at] as number
    const count = postings.count(term)
    if (count === 0) return
    total++
    const type = typeOf(dictionary.unit(term, kindAt))
    counts[type === 'text' && booleans.includes(term) ? 'boolean' : type] += count
    // Values come in order of text, so that of two with the same count the first one is kept.
    if (examples.length < examplesMax || count > (examples.at(-1)?.count ?? 0)) {
      const place = examples.findIndex((other) => other.count < count)
      examples.splice(place === -1 ? examples.length : place, 0, { term, count })
      examples.length = Math.min(examples.length, examplesMax)
    }
  })
  const [[type] = ['text']] = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
  return {
    key,
    // The most frequent type of its values, weighted by the number of watches.
    type: type as SpecType,
    unit: unitOf(key) ?? null,
    watches_count: postings.count(keyNumber),
    values_count: total,
    examples: examples.map(({ term }) => spell(index, key, term, dictionary.text(term))),
  }
}

/** `kind` is the first letter of a value's meaning, as a UTF-16 unit. */
function typeOf(kind: number): SpecType {
  return kind === quantityKind ? 'quantity' : kind === numberKind ? 'number' : 'text'
}

const [quantityKind, numberKind] = ['q', 'n'].map((letter) => letter.charCodeAt(0))
