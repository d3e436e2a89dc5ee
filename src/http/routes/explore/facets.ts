// Builds the facets of a list: which spec keys are worth showing, their values with counts, and the URL of the list
// with each value added or removed.
import { setImmediate } from 'node:timers/promises'
import type { Facet, FacetValue } from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import { Problem } from '../../../errors.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import type { Filter, WatchQuery } from '../../../search/query/watch-query.ts'
import { countFacets, type ValueCount } from '../../../search/results/facets.ts'
import type { Selection } from '../../../search/results/find-matches.ts'
import { listKeys, type SpecKey } from '../../../search/results/spec-keys.ts'
import { addressOf, canBeAsked, type Part, specParts, without } from './address.ts'

/** A list and its query, as the functions that describe a list need it. */
export interface ListPlace {
  readonly index: WatchIndex
  /** Path of the page that shows the list. */
  readonly path: string
  readonly brandId: number | undefined
  readonly parts: readonly Part[]
  readonly query: WatchQuery
}

const facetKeysMax = 7
/** With fewer values there is no choice; with more nobody reads them. */
const valuesMin = 2
const valuesMax = 60
/** Even a key used in the query is shown only up to this many values: they all have to be counted. */
const askedValuesMax = 1_000
/** Keys considered, the most frequent first. */
const keysMax = 500
const shownValuesMax = 40
const specPrefix = 'specs.'

/**
 * Yields to the event loop between facets: counting all facets of a large catalogue would block other requests too
 * long.
 */
export async function describeFacets(place: ListPlace): Promise<readonly Facet[]> {
  const { index, query, brandId } = place
  const facets: Facet[] = []
  for (const name of chooseFacets(index, query, brandId)) {
    await setImmediate()
    const counts = countValues(index, { ...query, brandId }, name)
    const facet = name.startsWith(specPrefix)
      ? specFacet(place, name.slice(specPrefix.length), counts)
      : fieldFacet(place, name, counts)
    if (facet.values.length > 0) facets.push(facet)
  }
  return facets
}

/** The facets that the page shows. */
export function chooseFacets(index: WatchIndex, query: WatchQuery, brandId: number | undefined): string[] {
  const hasBrand = brandId !== undefined || query.filters.some(({ subject }) => subject === 'brand')
  const fields = [...(brandId === undefined ? ['brand'] : []), ...(hasBrand ? ['collection'] : [])]
  return [...fields, ...chooseFacetKeys(index, query).map((key) => specPrefix + key)]
}

/** The text and boolean keys that most watches have, and the keys used in the query. */
function chooseFacetKeys(index: WatchIndex, { filters, facets }: WatchQuery): readonly string[] {
  const asked = new Set([
    ...filters.filter(isChoice).map(({ key }) => key),
    ...facets.map((name) => (name.startsWith(specPrefix) ? name.slice(specPrefix.length) : name)),
  ])
  const keys = listKeys(index).slice(0, keysMax)
  const isGood = ({ key, type, values_count }: SpecKey) =>
    (type === 'text' || type === 'boolean') &&
    values_count >= valuesMin &&
    values_count <= valuesMax &&
    canBeAsked('x', key)
  const chosen = keys.filter(isGood).slice(0, facetKeysMax)
  const more = keys.filter((key) => asked.has(key.key) && key.values_count <= askedValuesMax)
  return [...new Set([...chosen, ...more].map(({ key }) => key))]
}

/** Whether the filter names values that can be ticked in a facet. */
function isChoice({ subject, operator }: Filter): boolean {
  return subject === 'spec' && (operator === 'is' || operator === 'any')
}

function countValues(index: WatchIndex, selection: Selection, name: string): readonly ValueCount[] {
  try {
    return countFacets(index, selection, [name])[name] ?? []
  } catch (error) {
    // Too many values to count: also too many for a visitor to choose from.
    if (error instanceof Problem) return []
    throw error
  }
}

function specFacet(
  { index, path, parts, query }: ListPlace,
  key: string,
  counts: readonly ValueCount[],
): Facet {
  const written = query.filters
    .filter((filter) => isChoice(filter) && filter.key === key)
    .flatMap(({ values }) => values)
  const meaning = (value: string) => index.read(key, value).term
  const chosen = new Map(written.map((value) => [meaning(value), value]))
  // The counts ignore the other filters of this key, so the link removes those filters.
  const others = without(parts, 'page').filter((part) => part.name !== 'spec' || part.path[0] !== key)
  return facetOf(specPrefix + key, labelOf(key), counts, (text) => {
    const term = meaning(text)
    const isChosen = chosen.has(term)
    const left = isChosen
      ? [...chosen].flatMap(([other, spelling]) => (other === term ? [] : [spelling]))
      : [...chosen.values(), text]
    const href = canBeAsked(text, key) ? addressOf(path, [...others, ...specParts(key, left)]) : undefined
    return { href, isChosen }
  })
}

/** The API accepts only one brand and one collection, so a value replaces the chosen one. */
function fieldFacet(
  { index, path, parts, query }: ListPlace,
  field: string,
  counts: readonly ValueCount[],
): Facet {
  const written = query.filters.find(({ subject }) => subject === field)?.values[0]
  const isWritten = (value: string) => {
    if (written === undefined) return false
    if (field !== 'brand') return index.read(field, written).term === index.read(field, value).term
    const ids = index.brands.idsOf(written)
    return index.brands.idsOf(value).some((id) => ids.includes(id))
  }
  const others = without(parts, 'page', field)
  return facetOf(field, labelOf(field), counts, (text) => {
    const isChosen = isWritten(text)
    const next = isChosen ? others : [...others, { name: field, path: [], value: text }]
    return { href: canBeAsked(text) ? addressOf(path, next) : undefined, isChosen }
  })
}

/** Chosen values come first, so that they are always visible. */
function facetOf(
  name: string,
  label: string,
  counts: readonly ValueCount[],
  describe: (text: string) => Pick<FacetValue, 'href' | 'isChosen'>,
): Facet {
  const values = counts
    .map(({ value, count }) => ({ text: String(value), count, ...describe(String(value)) }))
    .sort((one, other) => Number(other.isChosen) - Number(one.isChosen))
  return {
    name,
    label,
    values: values.slice(0, shownValuesMax),
    left: Math.max(0, values.length - shownValuesMax),
    isOpen: values[0]?.isChosen ?? false,
  }
}
