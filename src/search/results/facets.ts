// Counts facets and the values of a spec key: which values there are, and how many watches have each.
import { Problem } from '../../errors.ts'
import { scalarsOf } from '../../specs/vocabulary.ts'
import { compareTexts } from '../index/brand-names.ts'
import { brandTerm, collectionsTerm, keyTerm, meaningOf } from '../index/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Slots } from '../sets/slots.ts'
import { pageOf, type WatchSet } from '../sets/watch-set.ts'
import { prepareSelection, type Selection } from './find-matches.ts'

export interface ValueCount {
  /** The value as a watch spells it; a quantity in the unit of its key, a synonym by its first name. */
  readonly value: unknown
  readonly count: number
}

interface TermCount {
  readonly term: number
  readonly count: number
}

/** The maximum number of values returned per facet; the spec dictionary lists all of them. */
const facetValuesMax = 1_000
/** A key with more values than this is refused as a facet: counting them would delay all other requests. */
const countedValuesMax = 100_000
const valueBytes = 100

/** Returns the values of each facet under all filters but its own, the most frequent first. */
export function countFacets(
  index: WatchIndex,
  selection: Selection,
  facets: readonly string[],
): Record<string, readonly ValueCount[]> {
  return Object.fromEntries(facets.map((facet) => [facet, countFacet(index, selection, facet)]))
}

/** Returns a slice of the values of a spec key, the most frequent first, and the total number of values. */
export function listValues(
  index: WatchIndex,
  key: string,
  start: number,
  length: number,
): { readonly total: number; readonly values: readonly ValueCount[] } {
  const { dictionary } = index
  const counts = index.resultCache.value(
    `values ${key}`,
    () => sorted(index, termCounts(index, dictionary.valuesOf(dictionary.find(keyTerm(key))), undefined)),
    (made) => made.length * valueBytes,
  )
  const page = counts.slice(start, start + length)
  return { total: counts.length, values: page.map((counted) => shown(index, key, counted)) }
}

function countFacet(index: WatchIndex, selection: Selection, facet: string): readonly ValueCount[] {
  const { isField, key } = facetSubject(facet)
  const others = {
    ...selection,
    filters: selection.filters.filter(
      (filter) => filter.key !== key || (filter.subject === 'spec') === isField,
    ),
  }
  const { name, find } = prepareSelection(index, others)
  return index.resultCache.value(
    `facet ${JSON.stringify(facet)} ${name}`,
    () => {
      const base = name === '' ? undefined : find().set
      if (isField && key === 'brand') return countBrands(index, base)
      const owner = index.dictionary.find(isField ? collectionsTerm : keyTerm(key))
      const terms = index.dictionary.valuesOf(owner)
      if (terms.length > countedValuesMax) throw tooMany(facet)
      const top = sorted(index, termCounts(index, terms, base)).slice(0, facetValuesMax)
      if (!isField) return top.map((counted) => shown(index, key, counted))
      return top.map(({ term, count }) => ({ value: firstWatch(index, term).collection, count }))
    },
    (made) => made.length * valueBytes,
  )
}

/** `brand` and `collection` are fields of the watch; anything else is a spec key, given as `key` or `specs.key`. */
export function facetSubject(facet: string): { isField: boolean; key: string } {
  const isField = facet === 'brand' || facet === 'collection'
  return { isField, key: facet.startsWith('specs.') ? facet.slice('specs.'.length) : facet }
}

/** Counts the watches of `base` that have each term; of all watches if there is no base. Omits counts of zero. */
function termCounts(index: WatchIndex, terms: readonly number[], base: WatchSet | undefined): TermCount[] {
  const { slots } = index.postings
  const counted =
    base === undefined
      ? terms.map((term) => ({ term, count: index.postings.count(term) }))
      : withScratch(slots, base, (bits, scratch) =>
          terms.map((term) => ({ term, count: countBoth(slots, bits, index.postings.get(term), scratch) })),
        )
  return counted.filter(({ count }) => count > 0)
}

/** Calls `work` with the base as a bitmap and a scratch slot, and frees the slots it allocated for them. */
function withScratch<T>(slots: Slots, base: WatchSet, work: (bits: number, scratch: number) => T): T {
  const scratch = slots.allocate()
  const bits = base.slot ?? slots.allocate()
  if (base.slot === undefined) for (const ordinal of base.ordinals) slots.set(bits, ordinal)
  try {
    return work(bits, scratch)
  } finally {
    slots.free(scratch)
    if (base.slot === undefined) slots.free(bits)
  }
}

function countBoth(slots: Slots, bits: number, set: WatchSet, scratch: number): number {
  if (set.slot !== undefined) return slots.and(bits, set.slot, scratch)
  let count = 0
  for (const ordinal of set.ordinals) if (slots.has(bits, ordinal)) count++
  return count
}

/** Sorts the most frequent first, then by the text of the term. */
function sorted(index: WatchIndex, counts: readonly TermCount[]): TermCount[] {
  const texts = new Map(counts.map(({ term }) => [term, index.dictionary.text(term)]))
  const textOf = ({ term }: TermCount) => texts.get(term) as string
  return counts.toSorted((one, other) => other.count - one.count || compareTexts(textOf(one), textOf(other)))
}

function countBrands(index: WatchIndex, base: WatchSet | undefined): ValueCount[] {
  const rows = index.brands.rows.map(({ id, name }) => ({ name, term: index.dictionary.find(brandTerm(id)) }))
  const names = new Map(rows.flatMap(({ name, term }) => (term === undefined ? [] : [[term, name] as const])))
  return termCounts(index, [...names.keys()], base)
    .map(({ term, count }) => ({ value: names.get(term) as string, count }))
    .sort((one, other) => other.count - one.count || compareTexts(one.value, other.value))
    .slice(0, facetValuesMax)
}

function shown(index: WatchIndex, key: string, { term, count }: TermCount): ValueCount {
  const meaning = meaningOf(index.dictionary.text(term), key)
  const spelling = index.vocabulary.spell(key, meaning)
  return { value: spelling ?? firstSpelling(index, key, term, meaning), count }
}

/** Returns the value as spelled by the watch with the lowest id that has it. */
function firstSpelling(index: WatchIndex, key: string, term: number, meaning: string): unknown {
  const { specs } = firstWatch(index, term)
  return scalarsOf(specs[key]).find((scalar) => index.vocabulary.read(key, scalar).term === meaning)
}

function firstWatch(index: WatchIndex, term: number) {
  const [ordinal = 0] = pageOf(index.postings.slots, index.postings.get(term), 0, 1)
  return index.watchAt(ordinal)
}

function tooMany(facet: string): Problem {
  const text = `The facets may not have a key with more than ${countedValuesMax} values: ${facet}.`
  return new Problem('invalid', { errors: { facets: [text] } })
}
