// Finds the set of watches that match the filters of a query. Each filter becomes wanted and unwanted sets; the result
// is the intersection of the wanted sets without the unwanted ones. Recent combinations are cached under a name that
// does not depend on the order or spelling of the filters.
import { foldReference } from '../../specs/fold.ts'
import type { Reading } from '../../specs/vocabulary.ts'
import { brandTerm, collectionKey, collectionTerm, keyTerm, specTerm } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter, Price, WatchQuery } from '../query/watch-query.ts'
import { emptySet, intersect, sparseSet, unite, type WatchSet } from '../sets/watch-set.ts'
import { type FoundText, findText, setOfText, textName } from '../text/find-text.ts'

/** Everything that narrows a list: the filters of a query, and the brand if the list is of one brand. */
export type Selection = Pick<WatchQuery, 'filters' | 'ids'> & {
  readonly text?: string | undefined
  readonly brandId?: number | undefined
}

export interface Matches {
  /** The same for equivalent selections, whatever the catalogue contains; empty for all watches. */
  readonly name: string
  readonly set: WatchSet
}

interface Condition {
  readonly name: string
  /** What it is about: `specs.` and a key, a field of the watch, or undefined for anything else. */
  readonly about?: string
  /** Returns the wanted and unwanted set; called only if the combination is not cached. */
  readonly sets: () => { readonly wanted: WatchSet; readonly unwanted?: WatchSet }
  /** For a set that has to be made, how long that takes: as long as to add so many bitmaps. */
  readonly bitmaps?: number
  readonly make?: () => WatchSet
  /** Of a range. */
  readonly key?: string
}

/** To make a range of a key takes as long as to add so many bitmaps. */
export const rangeBitmaps = 100
const priceBitmaps = 10
const referenceBitmaps = 1

const prices: readonly Price[] = ['retail_price_usd', 'current_market_price']

export interface PreparedSelection {
  readonly name: string
  readonly find: () => Matches
  /** The same selection without its conditions about a spec key (`specs.dial_color`) or field (`brand`). */
  readonly without: (about: string) => PreparedSelection
}

/** Returns the name of the selection before anything is looked up. */
export function prepareSelection(index: WatchIndex, selection: Selection): PreparedSelection {
  return prepareConditions(index, conditionsOf(index, selection))
}

function prepareConditions(index: WatchIndex, conditions: readonly Condition[]): PreparedSelection {
  const name = joinNames(conditions.map((condition) => condition.name))
  const prepared: PreparedSelection = {
    name,
    find: () => ({ name, set: setOf(index, conditions, name) }),
    without: (about) => {
      const others = conditions.filter((condition) => condition.about !== about)
      return others.length === conditions.length ? prepared : prepareConditions(index, others)
    },
  }
  return prepared
}

function conditionsOf(index: WatchIndex, { filters, ids, text, brandId }: Selection): Condition[] {
  const conditions: Condition[] = []
  const bounds: Filter[] = []
  for (const filter of filters.length > 1 ? withoutLooserBounds(index, filters) : filters) {
    const condition = conditionOf(index, filter)
    if (condition === undefined) bounds.push(filter)
    else conditions.push({ ...condition, about: aboutOf(filter) })
  }
  if (bounds.length > 0) {
    for (const price of prices) {
      const own = bounds.filter(({ subject }) => subject === price)
      if (own.length > 0) conditions.push(priceCondition(index, price, own))
    }
  }
  if (brandId !== undefined) conditions.push(oneTerm(index, brandTerm(brandId)))
  if (ids !== undefined) conditions.push(idsCondition(index, ids))
  if (text !== undefined) conditions.push(textCondition(index, text))
  return conditions
}

function aboutOf({ subject, key }: Filter): string {
  return subject === 'spec' ? `specs.${key}` : subject
}

/** Leaves out a bound of a key if another one in the same direction is tighter: each takes its time. */
function withoutLooserBounds(index: WatchIndex, filters: readonly Filter[]): readonly Filter[] {
  if (filters.filter(isSpecBound).length < 2) return filters
  const tightest = new Map<string, Filter>()
  for (const filter of filters) {
    if (!isSpecBound(filter)) continue
    const name = `${isUpper(filter.operator)} ${filter.key}`
    const other = tightest.get(name)
    if (other === undefined || isTighter(index, filter, other)) tightest.set(name, filter)
  }
  const kept = new Set(tightest.values())
  return filters.filter((filter) => !isSpecBound(filter) || kept.has(filter))
}

function isSpecBound({ subject, operator }: Filter): boolean {
  return subject === 'spec' && (isUpper(operator) || operator === 'gt' || operator === 'gte')
}

function isUpper(operator: string): boolean {
  return operator === 'lt' || operator === 'lte'
}

function isTighter(index: WatchIndex, filter: Filter, other: Filter): boolean {
  const [own, others] = [filter, other].map(({ key, values: [written = ''] }) => {
    return index.read(key, written).number ?? Number.NaN
  }) as [number, number]
  // What is not a number matches nothing.
  if (Number.isNaN(others)) return false
  if (own === others) return filter.operator === 'lt' || filter.operator === 'gt'
  return Number.isNaN(own) || own < others === isUpper(filter.operator)
}

/** Returns undefined for a bound of a price. */
function conditionOf(index: WatchIndex, filter: Filter): Condition | undefined {
  const { subject, values } = filter
  switch (subject) {
    case 'spec':
      return specCondition(index, filter)
    case 'brand':
      return anyTerm(index, [...new Set(values.flatMap((value) => index.brands.idsOf(value)))].map(brandTerm))
    case 'collection':
      return anyTerm(
        index,
        values.map((value) => collectionTerm(index.read(collectionKey, value).term)),
      )
    case 'reference_number':
      return anyReference(index, values)
    default:
      return undefined
  }
}

function specCondition(index: WatchIndex, filter: Filter): Condition {
  const { key, operator, values } = filter
  const term = (meaning: string) => specTerm(key, meaning)
  const reading = () => index.read(key, values[0] as string)
  switch (operator) {
    case 'is':
      return oneTerm(index, term(reading().term))
    case 'exact':
      return oneTerm(index, term(reading().exact))
    case 'any':
      return anyTerm(index, [...new Set(values.map((value) => term(index.read(key, value).term)))])
    case 'not': {
      const { name, sets } = anyTerm(index, [
        ...new Set(values.map((value) => term(index.read(key, value).term))),
      ])
      return {
        name: `!${name}`,
        sets: () => ({ wanted: termSet(index, keyTerm(key)), unwanted: sets().wanted }),
      }
    }
    case 'exists':
      return existsCondition(index, key, values[0] === 'true')
    default:
      return rangeCondition(index, key, operator, reading())
  }
}

function oneTerm(index: WatchIndex, term: string): Condition {
  return { name: term, sets: () => ({ wanted: termSet(index, term) }) }
}

function anyTerm(index: WatchIndex, terms: readonly string[]): Condition {
  if (terms.length === 1) return oneTerm(index, terms[0] as string)
  return made(index, `|${joinNames(terms)}`, terms.length, () =>
    unite(
      index.postings.slots,
      terms.map((term) => termSet(index, term)),
    ),
  )
}

function existsCondition(index: WatchIndex, key: string, exists: boolean): Condition {
  const term = keyTerm(key)
  if (exists) return oneTerm(index, term)
  return {
    name: `!${term}`,
    sets: () => ({ wanted: index.postings.all, unwanted: termSet(index, term) }),
  }
}

function rangeCondition(index: WatchIndex, key: string, operator: string, { number }: Reading): Condition {
  const bound = number ?? Number.NaN
  const condition = made(index, `${operator}${key.length}:${key}${bound}`, rangeBitmaps, () => {
    const keyNumber = index.dictionary.find(keyTerm(key))
    return keyNumber === undefined ? emptySet : index.numberRanges.find(key, keyNumber, operator, bound)
  })
  return { ...condition, key }
}

/** All bounds of one price together are a range of its order. */
function priceCondition(index: WatchIndex, price: Price, bounds: readonly Filter[]): Condition {
  const name = joinNames(bounds.map(({ operator, values }) => `$${price}${operator}${Number(values[0])}`))
  return made(index, name, priceBitmaps, () => {
    const order = index.columns.order(price === 'retail_price_usd' ? 'retail' : 'market')
    let [from, to] = [0, order.known]
    for (const { operator, values } of bounds) {
      const bound = Number(values[0])
      if (operator === 'gt') from = Math.max(from, order.upper(bound))
      else if (operator !== 'lt' && operator !== 'lte') from = Math.max(from, order.lower(bound))
      if (operator === 'lt') to = Math.min(to, order.lower(bound))
      else if (operator !== 'gt' && operator !== 'gte') to = Math.min(to, order.upper(bound))
    }
    return order.between(from, to)
  })
}

function textCondition(index: WatchIndex, text: string): Condition {
  const name = textName(text)
  // What is slow about a text is done before (text/slow-text.ts).
  return {
    name,
    sets: () => ({ wanted: index.resultCache.set(name, () => setOfText(index, text, selectIn(index))) }),
  }
}

/** How the text of a query is read, with the sets of its parts. */
export function findTextOf(index: WatchIndex, text: string): FoundText {
  return findText(index, text, selectIn(index))
}

export function selectIn(index: WatchIndex): (filters: readonly Filter[]) => WatchSet {
  return (filters) => prepareSelection(index, { filters, ids: undefined }).find().set
}

function anyReference(index: WatchIndex, values: readonly string[]): Condition {
  const conditions = [...new Set(values)].map((value) => referenceCondition(index, value))
  const [first] = conditions
  if (first !== undefined && conditions.length === 1) return first
  const name = `|${joinNames(conditions.map((condition) => condition.name))}`
  return made(index, name, conditions.length, () =>
    unite(
      index.postings.slots,
      conditions.map(({ sets }) => sets().wanted),
    ),
  )
}

function referenceCondition(index: WatchIndex, written: string): Condition {
  const folded = foldReference(written)
  return made(index, `r${folded}`, referenceBitmaps, () => {
    // Some files have the name of the model behind the reference: `126610LN (Submariner Date)`.
    const remarked = index.references.beginningWith(`${folded}(`)
    const own = index.references.having(folded)
    if (remarked.count === 0) return own
    const sets = [own, remarked].map((set) => index.resultCache.lend(set))
    return unite(index.postings.slots, sets)
  })
}

function idsCondition(index: WatchIndex, ids: readonly number[]): Condition {
  return {
    name: `#${[...new Set(ids)].sort((one, other) => one - other)}`,
    // Not before: a watch may be deleted between the preparation of a list and its search.
    sets: () => {
      const ordinals = ids.map((id) => index.findOrdinal(id)).filter((ordinal) => ordinal !== undefined)
      return { wanted: sparseSet(Uint32Array.from(new Set(ordinals)).sort()) }
    },
  }
}

/** Caches the set separately, because other combinations can use it too. If it is dense, it must own its slot. */
function made(index: WatchIndex, name: string, bitmaps: number, make: () => WatchSet): Condition {
  return { name, sets: () => ({ wanted: index.resultCache.set(name, make) }), bitmaps, make }
}

/** A set that a selection needs and that is not cached, and how long it takes to make it, in bitmaps. */
export interface MissingSet {
  readonly name: string
  readonly bitmaps: number
  readonly make: () => WatchSet
  /** The spec key of a range. */
  readonly key: string | undefined
}

/** `explain` needs the set of each filter alone, too. */
export function missingSets(
  index: WatchIndex,
  { explain, ...selection }: Selection & Pick<WatchQuery, 'explain'>,
): MissingSet[] {
  const conditions = conditionsOf(index, selection)
  if (explain) {
    for (const filter of selection.filters)
      conditions.push(...conditionsOf(index, { filters: [filter], ids: undefined }))
  }
  const missing = new Map<string, MissingSet>()
  for (const { name, bitmaps, make, key } of conditions) {
    if (bitmaps === undefined || make === undefined || index.resultCache.hasSet(name)) continue
    missing.set(name, { name, bitmaps, make, key })
  }
  return [...missing.values()]
}

function setOf(index: WatchIndex, conditions: readonly Condition[], name: string): WatchSet {
  const [first] = conditions
  if (first === undefined) return index.postings.all
  if (conditions.length === 1) {
    const { wanted, unwanted } = first.sets()
    // A single set is returned as it is: it needs no cache entry.
    if (unwanted === undefined) return wanted
  }
  return index.resultCache.set(name, () => {
    const sets = conditions.map((condition) => condition.sets())
    const wanted = sets.map((one) => one.wanted)
    const unwanted = sets.map((one) => one.unwanted).filter((set) => set !== undefined)
    return intersect(index.postings.slots, wanted, unwanted)
  })
}

function termSet(index: WatchIndex, term: string): WatchSet {
  return index.postings.get(index.dictionary.find(term))
}

/** Joins the sorted, distinct names, each with its length, so that different lists never get the same name. */
function joinNames(names: readonly string[]): string {
  const [only = ''] = names
  if (names.length <= 1) return only
  let joined = ''
  let last: string | undefined
  for (const name of names.toSorted()) {
    if (name !== last) joined += `${name.length}:${name}`
    last = name
  }
  return joined
}
