// Does the slow work of a request before the request is answered, in turns with other callers (index/fair-turns.ts), so
// that it never holds the event loop for long. Its results are kept in the index, where the functions that answer the
// request find them.
//
// Call `warmUp` of a prepared list before its `find`, `warmUpKeys` before `listKeys`, and `warmUpValues` before
// `listValues`. Each returns undefined if the answer is fast without it, which is the usual case and takes about a
// microsecond. Else wait for the promise, then answer without another pause, from the same index: the results are lost
// with its next change. The promise rejects with what the request would throw, such as a Problem about a facet.
//
// Costs are estimated from the number of watches, of bitmaps that are combined, and of texts that are read. They are
// upper bounds for a slow processor; what a request costs in all decides whether it takes turns or is answered at once.
import { keyTerm } from '../dictionary/terms.ts'
import type { Work } from '../index/fair-turns.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { takesSeveral } from '../query/operators.ts'
import type { Filter, WatchQuery } from '../query/watch-query.ts'
import { setOfText, textName } from '../text/find-text.ts'
import { findWord, wordName } from '../text/find-word.ts'
import { slowText } from '../text/slow-text.ts'
import { facetSubject, prepareFacets, slicedValues } from './facets.ts'
import { missingSets, rangeBitmaps, selectIn } from './find-matches.ts'
import { orderedColumns } from './sort-matches.ts'
import { areKeysListed, slicedKeys } from './spec-keys.ts'
import { isSuggested, slicedSuggestion } from './unknown-keys.ts'

/** What costs less is done at once, with the answer. */
const atOnceMaxMs = 2
/** To combine one bitmap, or count it, for each watch. */
const bitmapMsPerWatch = 1.2e-5 / 1_000
/** To look up one term, and to find how a watch spells one value. */
const termMs = 0.004
const spellingMs = 0.008
/** To sort one watch, or to look at one value of a key. */
const sortedMs = 3e-4
const valueMs = 2e-4
const suggestionMs = 0.5
/** To make what the ranges of a key need takes as long as to add so many bitmaps, besides looking at its values. */
const preparedBitmaps = 300

/** For a list of watches, of one brand if `brandId` is given. */
export function warmUp(
  index: WatchIndex,
  caller: string,
  query: WatchQuery,
  { brandId, more }: { readonly brandId?: number | undefined; readonly more?: () => readonly Work[] } = {},
): Promise<void> | undefined {
  return takeTurns(index, caller, () => {
    const works: Work[] = []
    addOrders(works, index, query)
    addSets(works, index, query)
    if (query.text !== undefined) addText(works, index, query, query.text)
    addUnknownKeys(works, index, query)
    if (query.facets.length > 0) addFacets(works, index, query, brandId)
    if (more !== undefined) works.push(...more())
    return works
  })
}

/** For the list of all keys. */
export function warmUpKeys(index: WatchIndex, caller: string): Promise<void> | undefined {
  return takeTurns(index, caller, () => listingOfKeys(index))
}

/** For a slice of the values of a key. */
export function warmUpValues(
  index: WatchIndex,
  caller: string,
  key: string,
  start: number,
  length: number,
): Promise<void> | undefined {
  return takeTurns(index, caller, () => {
    if (index.resultCache.hasValue(`values ${key}`)) return []
    const values = index.dictionary.valuesOf(index.dictionary.find(keyTerm(key))).length
    return [{ costMs: values * valueMs * 4, run: () => slicedValues(index, key, start, length) }]
  })
}

/** The works are found again once all are done, and after a change: those that it has undone come again. */
function takeTurns(
  index: WatchIndex,
  caller: string,
  findWorks: () => readonly Work[],
): Promise<void> | undefined {
  const findSlow = () => {
    const works = findWorks()
    const costMs = works.reduce((sum, work) => sum + work.costMs, 0)
    return costMs <= atOnceMaxMs ? [] : works
  }
  if (findSlow().length === 0) return undefined
  let { version } = index
  // Found at the first turn: until then, other requests may have done them.
  let works: readonly Work[] = []
  let done = 0
  const next = () => {
    if (index.isReplaced) return undefined
    if (done === works.length || version !== index.version) {
      version = index.version
      works = findSlow()
      done = 0
    }
    return works[done++]
  }
  return index.turns.take(caller, { next, version: () => index.version })
}

/** The orders by which the list is sorted, or whose column has a bound. */
function addOrders(works: Work[], index: WatchIndex, { filters, sort }: WatchQuery): void {
  if (sort.by !== 'id' && sort.by !== 'relevance') addOrder(works, index, sort.by)
  for (const { subject } of filters) {
    if (subject === 'retail_price_usd' || subject === 'current_market_price') addOrder(works, index, subject)
  }
}

function addOrder(works: Work[], index: WatchIndex, field: keyof typeof orderedColumns): void {
  const order = index.columns.order(orderedColumns[field])
  if (!order.isPrepared) works.push({ costMs: index.size * sortedMs, run: () => order.prepare() })
}

const rangeOperators: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])

function addText(works: Work[], index: WatchIndex, query: WatchQuery, text: string): void {
  if (index.resultCache.hasValue(textName(text)) && index.resultCache.hasSet(textName(text))) return
  const { words, filters, hasPrice, bitmaps } = slowText(index, text)
  if (hasPrice)
    for (const price of ['current_market_price', 'retail_price_usd'] as const) addOrder(works, index, price)
  if (filters.length > 0) addSets(works, index, { ...query, text: undefined, filters })
  for (const { word, isPrefix } of words) {
    const name = wordName(word, isPrefix)
    if (index.resultCache.hasSet(name)) continue
    const terms = index.dictionary.termsWithWord(word, isPrefix).reduce((sum, { length }) => sum + length, 0)
    const run = function* () {
      // Another request may have made it by now.
      if (!index.resultCache.hasSet(name))
        index.resultCache.keepSet(name, yield* findWord(index, word, isPrefix))
    }
    works.push({ costMs: bitmapsMs(index, terms) + terms * termMs, run })
  }
  // Apart from what follows, which is to rank the matches: both together may take too long.
  const read = function* () {
    index.resultCache.freeSlots()
    if (!index.resultCache.hasSet(textName(text)))
      index.resultCache.keepSet(textName(text), setOfText(index, text, selectIn(index)))
    yield
  }
  works.push({ costMs: bitmapsMs(index, bitmaps), run: read })
}

/** An unknown key gets a suggestion from the list of all keys. */
function addUnknownKeys(works: Work[], index: WatchIndex, { filters, facets }: WatchQuery): void {
  const suggestions = new Map<string, Work>()
  const add = (key: string) => {
    if (index.hasKey(key) || isSuggested(index, key)) return
    suggestions.set(key, { costMs: suggestionMs, run: () => slicedSuggestion(index, key) })
  }
  for (const { subject, key } of filters) if (subject === 'spec') add(key)
  for (const facet of facets) {
    const { isField, key } = facetSubject(facet)
    if (!isField) add(key)
  }
  if (suggestions.size > 0) works.push(...listingOfKeys(index), ...suggestions.values())
}

function listingOfKeys(index: WatchIndex): Work[] {
  if (areKeysListed(index)) return []
  return [{ costMs: atOnceMaxMs + index.size * valueMs, run: () => slicedKeys(index) }]
}

/** How many bitmaps it takes at most to make the sets of the filters. Found without looking anything up. */
function bitmapsOf({ filters }: WatchQuery): number {
  let bitmaps = 0
  for (const filter of filters) {
    if (takesSeveral(filter.operator)) bitmaps += filter.values.length
    else if (isRange(filter)) bitmaps += rangeBitmaps
  }
  return bitmaps
}

function isRange({ subject, operator }: Filter): boolean {
  return subject === 'spec' && rangeOperators.has(operator)
}

/**
 * The sets of single filters: ranges, and values of which any is wanted. What a range needs of its key comes right before
 * it: the cache may be too small for those of all keys.
 */
function addSets(works: Work[], index: WatchIndex, query: WatchQuery): void {
  const bitmaps = bitmapsOf(query)
  if (bitmaps === 0) return
  const areMany = bitmapsMs(index, bitmaps) > atOnceMaxMs / 2
  const hasNewKey = () => query.filters.some((filter) => isRange(filter) && keyToPrepare(index, filter.key))
  if (!areMany && !hasNewKey()) return
  const seen = new Set<string>()
  for (const { name, bitmaps: own, make, key } of missingSets(index, query)) {
    const preparing = key === undefined || seen.has(key) ? undefined : keyToPrepare(index, key)
    if (key !== undefined) seen.add(key)
    if (preparing !== undefined) works.push(preparing)
    const run = function* () {
      if (!index.resultCache.hasSet(name)) index.resultCache.keepSet(name, make())
      yield
    }
    works.push({ costMs: bitmapsMs(index, own), run })
  }
}

/** The work of making what ranges of the key need; undefined if that is done, or if no watch has the key. */
function keyToPrepare(index: WatchIndex, key: string): Work | undefined {
  const { numberRanges, dictionary } = index
  const keyNumber = dictionary.find(keyTerm(key))
  const values = keyNumber === undefined ? 0 : numberRanges.valuesToPrepare(key, keyNumber)
  if (keyNumber === undefined || values === 0) return undefined
  const run = () => numberRanges.prepare(key, keyNumber)
  return { costMs: bitmapsMs(index, preparedBitmaps) + values * valueMs, run }
}

function addFacets(works: Work[], index: WatchIndex, query: WatchQuery, brandId: number | undefined): void {
  for (const { values, count } of prepareFacets(index, { ...query, brandId }, query.facets)) {
    if (values > 0) works.push({ costMs: bitmapsMs(index, values) + values * spellingMs, run: count })
  }
}

function bitmapsMs({ size }: WatchIndex, bitmaps: number): number {
  return bitmaps * size * bitmapMsPerWatch
}
