// Finds the watches that match the text of `q`, and how the text was read. What a text means depends on the catalogue
// alone, not on the other filters of a query: so facets and pages of one text agree.
import { finish } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter } from '../query/watch-query.ts'
import { denseSet, type WatchSet } from '../sets/watch-set.ts'
import { MeaningSets } from './meaning-sets.ts'
import { readText, type TextReading } from './read-text.ts'

/** Returns the watches that match filters. */
export type Select = (filters: readonly Filter[]) => WatchSet

export interface FoundText {
  readonly reading: TextReading
  /** Valid until the next request. */
  readonly sets: MeaningSets
}

const readingBytes = 1_000
const bytesPerCharacter = 20

/** The name under which the set of a text is cached. */
export function textName(plain: string): string {
  return `?${plain}`
}

/** Of the last request: its list, order and explanation need the same sets. */
let last: { plain: string; index: WatchIndex; lending: number; found: FoundText } | undefined

export function findText(index: WatchIndex, plain: string, select: Select): FoundText {
  const { lending } = index.resultCache
  if (last?.index === index && last.plain === plain && last.lending === lending) return last.found
  const sets = new MeaningSets(index, select)
  const reading = finish(
    index.resultCache.value(
      textName(plain),
      // biome-ignore lint/correctness/useYield: reading a text has no pauses; what is slow is done before (slow-text.ts)
      function* () {
        return readText(index, plain, sets)
      },
      () => readingBytes + plain.length * bytesPerCharacter,
    ),
  )
  const found = { reading, sets }
  last = { plain, index, lending, found }
  return found
}

/** Returns the watches that match the text; valid until the next request. */
export function matchesOf(index: WatchIndex, { reading, sets }: FoundText): WatchSet {
  const { parts, dropped } = reading
  const tellsNothing = parts.length === 0 && dropped.length === 0
  return tellsNothing ? index.postings.all : sets.all(parts)
}

/** The same as a set with its own slot if it is dense. */
export function setOfText(index: WatchIndex, plain: string, select: Select): WatchSet {
  const set = matchesOf(index, findText(index, plain, select))
  if (set.slot === undefined) return set
  const { slots } = index.postings
  const copy = slots.copy(set.slot)
  return denseSet(copy, slots.count(copy))
}
