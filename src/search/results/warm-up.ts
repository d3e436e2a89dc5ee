// Does the slow work of a request in slices, before the request is answered, so that it never holds the event loop for
// long. Its results are kept in the index, where the functions that answer the request find them.
//
// Call `warmUp` of a prepared list before its `find`, `warmUpKeys` before `listKeys`, and `warmUpValues` before
// `listValues`. Each returns undefined if the answer is fast without it, which is the usual case and takes about a
// microsecond. Else wait for the promise, then answer without another pause, from the same index: the results are lost
// with its next change. A change during the work starts it again, up to `attemptsMax` times; after that, the request is
// still answered correctly, only slowly. The promise rejects with what the request would throw, such as a Problem
// about a facet.
import { keyTerm } from '../dictionary/terms.ts'
import { finishInSlices, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { WatchQuery } from '../query/watch-query.ts'
import { facetSubject, fewValuesMax, prepareFacet, slicedValues } from './facets.ts'
import { findWord, wordName } from './find-matches.ts'
import { orderedColumns } from './sort-matches.ts'
import { areKeysListed, slicedKeys } from './spec-keys.ts'

type Work = () => Sliced<unknown>

const attemptsMax = 3
/** A word with more terms than this is looked up in advance. */
const fewTermsMax = 500

/** For a list of watches, of one brand if `brandId` is given. */
export function warmUp(index: WatchIndex, query: WatchQuery, brandId?: number): Promise<void> | undefined {
  return runAll(index, () => {
    const works: Work[] = []
    addOrders(works, index, query)
    addRanges(works, index, query)
    addWords(works, index, query)
    if (hasUnknownKey(index, query)) works.push(...slowKeys(index))
    addFacets(works, index, query, brandId)
    return works
  })
}

/** For the list of all keys. */
export function warmUpKeys(index: WatchIndex): Promise<void> | undefined {
  return runAll(index, () => slowKeys(index))
}

/** For a slice of the values of a key. */
export function warmUpValues(
  index: WatchIndex,
  key: string,
  start: number,
  length: number,
): Promise<void> | undefined {
  return runAll(index, () =>
    index.resultCache.hasValue(`values ${key}`) ? [] : [() => slicedValues(index, key, start, length)],
  )
}

/** The works of all requests wait for each other. What two of them need is made once: the later one finds it done. */
function runAll(index: WatchIndex, findWork: () => readonly Work[]): Promise<void> | undefined {
  if (findWork().length === 0) return undefined
  return index.slowWork.take(() => runInSlices(index, findWork))
}

async function runInSlices(index: WatchIndex, findWork: () => readonly Work[]): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const { version } = index
    const isCurrent = () => index.version === version
    await finishInSlices(runEach(findWork()), isCurrent)
    if (isCurrent()) return
  }
}

/** As one work: each by itself would begin a new slice, though the time of the last one is not over. */
function* runEach(works: readonly Work[]): Sliced<void> {
  for (const work of works) {
    yield* work()
    yield
  }
}

/** The orders by which the list is sorted, or whose column has a bound. */
function addOrders(works: Work[], index: WatchIndex, { filters, sort }: WatchQuery): void {
  const add = (field: keyof typeof orderedColumns) => {
    const order = index.columns.order(orderedColumns[field])
    if (!order.isPrepared) works.push(() => order.prepare())
  }
  if (sort.by !== 'id') add(sort.by)
  for (const { subject } of filters) {
    if (subject === 'retail_price_usd' || subject === 'current_market_price') add(subject)
  }
}

function addRanges(works: Work[], index: WatchIndex, { filters }: WatchQuery): void {
  for (const { subject, key, operator } of filters) {
    if (subject !== 'spec' || !rangeOperators.has(operator)) continue
    const keyNumber = index.dictionary.find(keyTerm(key))
    if (keyNumber === undefined || !index.numberRanges.isSlow(key, keyNumber)) continue
    works.push(() => index.numberRanges.prepare(key, keyNumber))
  }
}

const rangeOperators: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])

function addWords(works: Work[], index: WatchIndex, { words }: WatchQuery): void {
  words.forEach((word, at) => {
    const isPrefix = at === words.length - 1
    const name = wordName(word, isPrefix)
    if (index.resultCache.hasSet(name)) return
    const count = index.dictionary.termsWithWord(word, isPrefix).reduce((sum, { length }) => sum + length, 0)
    if (count > fewTermsMax) works.push(() => keepWord(index, word, isPrefix))
  })
}

function* keepWord(index: WatchIndex, word: string, isPrefix: boolean): Sliced<void> {
  index.resultCache.keepSet(wordName(word, isPrefix), yield* findWord(index, word, isPrefix))
}

/** An unknown key gets a suggestion from the list of all keys. */
function hasUnknownKey(index: WatchIndex, { filters, facets }: WatchQuery): boolean {
  const isUnknown = (facet: string) => {
    const { isField, key } = facetSubject(facet)
    return !isField && !index.hasKey(key)
  }
  return (
    filters.some(({ subject, key }) => subject === 'spec' && !index.hasKey(key)) || facets.some(isUnknown)
  )
}

function slowKeys(index: WatchIndex): Work[] {
  return areKeysListed(index) ? [] : [() => slicedKeys(index)]
}

/** Together, facets of a few values each take long too. */
function addFacets(works: Work[], index: WatchIndex, query: WatchQuery, brandId: number | undefined): void {
  if (query.facets.length === 0) return
  const missing = query.facets
    .map((facet) => prepareFacet(index, { ...query, brandId }, facet))
    .filter(({ values }) => values > 0)
  const total = missing.reduce((sum, { values }) => sum + values, 0)
  if (total > fewValuesMax) works.push(...missing.map(({ count }) => count))
}
