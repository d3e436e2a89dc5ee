// Counts facets and the values of a spec key: which values there are, and how many watches have each. A key may have
// many thousands of values, so all of this is work that can pause.
import { Problem } from '../../errors.ts'
import { scalarsOf } from '../../specs/vocabulary.ts'
import { compareTexts } from '../dictionary/sort-by-text.ts'
import { brandTerm, collectionsTerm, keyTerm, meaningOf } from '../dictionary/terms.ts'
import { finish, inChunks, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Slot } from '../sets/slots.ts'
import { denseSet, type WatchSet } from '../sets/watch-set.ts'
import { type PreparedSelection, prepareSelection, type Selection } from './find-matches.ts'
import { sortByCount } from './sort-by-count.ts'

export interface ValueCount {
  /** The value as a watch spells it; a quantity in the unit of its key, a synonym by its first name. */
  readonly value: unknown
  readonly count: number
}

/** The maximum number of values returned per facet; the spec dictionary lists all of them. */
const facetValuesMax = 1_000
/** A key with more values than this is refused as a facet: counting them would delay all other requests. */
const countedValuesMax = 100_000
const valueBytes = 100
/** Values counted between two pauses: each may be a bitmap, or a long list. */
const pauseCounted = 16
const pausePlaces = 20_000
/** Values spelled between two pauses: each may mean to parse a watch. */
const pauseSpelled = 10

/** Returns the values of each facet under all filters but its own, the most frequent first. */
export function countFacets(
  index: WatchIndex,
  selection: Selection,
  facets: readonly string[],
): Record<string, readonly ValueCount[]> {
  const prepared = prepareFacets(index, selection, facets)
  return Object.fromEntries(prepared.map(({ facet, count }) => [facet, finish(count()).values]))
}

/** The same as JSON, whose parts are made with the counts: a response may have thousands of values. */
export function facetsJson(index: WatchIndex, selection: Selection, facets: readonly string[]): string {
  const prepared = prepareFacets(index, selection, [...new Set(facets)])
  return `{${prepared.map(({ facet, count }) => `${JSON.stringify(facet)}:${finish(count()).json}`)}}`
}

interface CountedFacet {
  readonly values: readonly ValueCount[]
  readonly json: string
}

interface PreparedFacet {
  readonly facet: string
  /** The number of values still to be counted; 0 if they are cached. */
  readonly values: number
  /** The work that counts them, which is cached. */
  readonly count: () => Sliced<CountedFacet>
}

/** The filters are read once for all facets. */
export function prepareFacets(
  index: WatchIndex,
  selection: Selection,
  facets: readonly string[],
): PreparedFacet[] {
  const all = prepareSelection(index, selection)
  return facets.map((facet) => prepareFacet(index, all, facet))
}

function prepareFacet(index: WatchIndex, all: PreparedSelection, facet: string): PreparedFacet {
  const { isField, key } = facetSubject(facet)
  const { name, find } = all.without(isField ? key : `specs.${key}`)
  const cached = `facet ${JSON.stringify(facet)} ${name}`
  const count = function* () {
    const values = yield* countFacet(index, facet, () => (name === '' ? undefined : find().set))
    yield
    return { values, json: JSON.stringify(values) }
  }
  const bytesOf = ({ values, json }: CountedFacet) => values.length * valueBytes + json.length
  return {
    facet,
    values: index.resultCache.hasValue(cached) ? 0 : countValues(index, facet),
    count: () => index.resultCache.value(cached, count, bytesOf),
  }
}

/** Returns how many values the facet may have. */
function countValues({ brands, dictionary }: WatchIndex, facet: string): number {
  const { isField, key } = facetSubject(facet)
  if (isField && key === 'brand') return brands.rows.length
  return dictionary.valuesOf(dictionary.find(isField ? collectionsTerm : keyTerm(key))).length
}

/** Returns a slice of the values of a spec key, the most frequent first, and the total number of values. */
export function listValues(
  index: WatchIndex,
  key: string,
  start: number,
  length: number,
): { readonly total: number; readonly values: readonly ValueCount[] } {
  return finish(slicedValues(index, key, start, length))
}

export function* slicedValues(
  index: WatchIndex,
  key: string,
  start: number,
  length: number,
): Sliced<{ readonly total: number; readonly values: readonly ValueCount[] }> {
  const { dictionary, postings } = index
  const terms = yield* index.resultCache.value(
    `values ${key}`,
    () => sortValues(index, key),
    (made) => made.byteLength,
  )
  const values: ValueCount[] = []
  for (const term of terms.subarray(start, start + length)) {
    values.push({ value: spell(index, key, term, dictionary.text(term)), count: postings.count(term) })
    if (values.length % pauseSpelled === 0) yield
  }
  return { total: terms.length, values }
}

function* sortValues(index: WatchIndex, key: string): Sliced<Uint32Array> {
  const { dictionary } = index
  const terms = dictionary.valuesOf(dictionary.find(keyTerm(key)))
  const sorted = yield* sortByCount(yield* countTerms(index, terms))
  // In place, because there may be a million.
  yield* inChunks(sorted.length, pausePlaces, (place) => {
    sorted[place] = terms[sorted[place] as number] as number
  })
  return sorted
}

function* countFacet(
  index: WatchIndex,
  facet: string,
  findBase: () => WatchSet | undefined,
): Sliced<readonly ValueCount[]> {
  const { isField, key } = facetSubject(facet)
  const { dictionary, postings } = index
  const isBrand = isField && key === 'brand'
  const brands = isBrand ? brandsByName(index) : []
  const terms = isBrand
    ? Uint32Array.from(brands, ({ term }) => term)
    : dictionary.valuesOf(dictionary.find(isField ? collectionsTerm : keyTerm(key)))
  if (!isBrand && terms.length > countedValuesMax) throw tooMany(facet)
  yield
  const base = findBase()
  const bits = ownBits(index, base)
  try {
    const counts = yield* countTerms(index, terms, base, bits)
    const order = yield* sortByCount(counts)
    const values: ValueCount[] = []
    for (const at of order.subarray(0, facetValuesMax)) {
      const term = terms[at] as number
      const value = isBrand
        ? brands[at]?.name
        : isField
          ? spellCollection(index, term)
          : spell(index, key, term, dictionary.text(term))
      values.push({ value, count: counts[at] as number })
      if (values.length % pauseSpelled === 0) yield
    }
    return values
  } finally {
    if (bits !== undefined) postings.slots.free(bits)
  }
}

/** `brand` and `collection` are fields of the watch; anything else is a spec key, given as `key` or `specs.key`. */
export function facetSubject(facet: string): { isField: boolean; key: string } {
  const isField = facet === 'brand' || facet === 'collection'
  return { isField, key: facet.startsWith('specs.') ? facet.slice('specs.'.length) : facet }
}

/** Copies the set into an own slot, which it keeps during pauses; undefined for all watches. */
function ownBits({ postings: { slots } }: WatchIndex, set: WatchSet | undefined): Slot | undefined {
  if (set === undefined) return undefined
  if (set.slot !== undefined) return slots.copy(set.slot)
  const bits = slots.allocate()
  slots.mark(bits, set.ordinals, true)
  return bits
}

/** Counts the members of a set, which the slot holds as a bitmap, that have each term; all watches without a set. */
function* countTerms(
  { postings }: WatchIndex,
  terms: Uint32Array,
  base?: WatchSet,
  bits?: Slot,
): Sliced<Uint32Array> {
  const counts = new Uint32Array(terms.length)
  if (base?.count === 0) return counts
  // The slot of a dense base may be reused during a pause; its copy is not.
  const own = base?.slot === undefined || bits === undefined ? base : denseSet(bits, base.count)
  yield* inChunks(terms.length, pauseCounted, (at) => {
    const term = terms[at] as number
    counts[at] =
      own === undefined || bits === undefined ? postings.count(term) : postings.countIn(own, bits, term)
  })
  return counts
}

/** Brands with the same name are separate; they stay in the order of the rows. */
function brandsByName({ brands, dictionary }: WatchIndex): { name: string; term: number }[] {
  return brands.rows
    .flatMap(({ id, name }) => {
      const term = dictionary.find(brandTerm(id))
      return term === undefined ? [] : [{ name, term }]
    })
    .sort((one, other) => compareTexts(one.name, other.name))
}

/** Returns the value of a term, given its text: a text as it is spelled by the watch with the lowest id that has it. */
export function spell(index: WatchIndex, key: string, term: number, text: string): unknown {
  const meaning = meaningOf(text, key)
  return (
    index.vocabulary.spell(key, meaning) ??
    firstSpelling(index, term, ({ specs }) =>
      scalarsOf(specs[key]).find((scalar) => index.vocabulary.read(key, scalar).term === meaning),
    )
  )
}

function spellCollection(index: WatchIndex, term: number): unknown {
  return firstSpelling(index, term, ({ collection }) => collection)
}

function firstSpelling(
  index: WatchIndex,
  term: number,
  read: (watch: ReturnType<WatchIndex['watchAt']>) => unknown,
): unknown {
  const ordinal = index.postings.first(term) ?? 0
  return index.spellings.get(term, ordinal, () => read(index.watchAt(ordinal)))
}

function tooMany(facet: string): Problem {
  const text = `The facets may not have a key with more than ${countedValuesMax} values: ${facet}.`
  return new Problem('invalid', { errors: { facets: [text] } })
}
