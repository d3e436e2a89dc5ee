// Parses the stored filters of webhooks, which are query strings of the list, and finds which of thousands of them a
// single watch matches. Each filter is indexed under a mark that a watch must have to match it, so a watch is compared
// with few filters.
import type { BrandRow } from '../../catalogue/brands.ts'
import { Problem } from '../../errors.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { BrandNames } from '../index/brand-names.ts'
import { isLonger } from '../query/filter-values.ts'
import { parseWatchQuery, watchNames } from '../query/parse-query.ts'
import { splitQuery } from '../query/query-string.ts'
import { brandMarker, conditionsOf, idMark, referenceMark, type WatchFilter } from './conditions.ts'
import { FilterMarks, type MarkedFilter, type WatchNumber } from './marks.ts'
import { type MatchedWatch, watchReader } from './watch-reader.ts'

export type { MatchedWatch, WatchFilter }

/** In code points. */
export const filterLengthMax = 2_048
/** The maximum number of messages per response, and of characters of an unknown name that a message repeats. */
const messagesMax = 20
const nameCharsMax = 64

/** Parameters of the list that do not narrow it. */
const shapingNames: readonly string[] = [
  ...['page', 'per_page', 'after', 'sort', 'fields', 'facets', 'explain', 'strict'],
]
const narrowingNames = watchNames.filter((name) => !shapingNames.includes(name))

/**
 * Parses a query string of the list, with or without its `?`. Unlike the list, a filter refuses parameters that do not
 * narrow it and unknown parameters: with a mistyped name it would match every watch.
 */
export function parseFilter(written: string, vocabulary: Vocabulary): WatchFilter {
  if (isLonger(written, filterLengthMax)) {
    throw invalid([`The filter may not be greater than ${filterLengthMax} characters.`])
  }
  // JSON can carry control characters unencoded, and PostgreSQL cannot store all of them.
  if (/\p{Cc}/u.test(written)) throw invalid(['The filter must not contain control characters.'])
  const pairs = written.replace(/^\?/, '').split('&').filter(Boolean)
  if (pairs.length === 0) throw invalid(['The filter must have a parameter, such as brand=Rolex.'])
  const faults = new Map(pairs.map((pair) => [pair, findNameFault(pair)]))
  const messages = [...faults.values()].filter((fault) => fault !== undefined)
  try {
    const query = parseWatchQuery(
      pairs.filter((pair) => faults.get(pair) === undefined).join('&'),
      vocabulary,
    )
    if (messages.length === 0) return { filters: query.filters, ids: query.ids, words: query.words }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    messages.push(...Object.values(error.details.errors ?? {}).flat())
  }
  throw invalid(messages)
}

/**
 * Compiles filters into a function that returns those a watch matches, by exactly the rules of the list. A filter that
 * cannot be parsed, because it was written for another version of the grammar, matches nothing.
 */
export function compileFilters(
  filters: Iterable<string>,
  vocabulary: Vocabulary,
  brands: readonly BrandRow[],
  onUnreadable: (filter: string) => void = () => {},
): (watch: MatchedWatch) => Set<string> {
  const known = { vocabulary, brands: new BrandNames(brands, vocabulary.nicknames) }
  const marked: MarkedFilter[] = []
  for (const text of new Set(filters)) {
    const filter = findFilter(text, vocabulary)
    if (filter === undefined) onUnreadable(text)
    else marked.push({ text, conditions: conditionsOf(known, filter) })
  }
  const marks = new FilterMarks(marked)
  const marksOfBrand = brandMarker(known.brands)
  const read = watchReader(vocabulary, (term, words) => marks.find([term], words))
  return (watch) => {
    const { terms, reference, referenceWords } = read(watch)
    const own = [
      idMark(watch.id),
      ...withoutRemarks(reference).map(referenceMark),
      ...marksOfBrand(watch.brand),
    ]
    const ofOwn = marks.find(own, [reference, ...referenceWords])
    return marks.match([ofOwn, ...terms.map((term) => term.marks)], [...pricesOf(watch), ...terms])
  }
}

/** For repeated calls: recompiles only if the filters, or the names of the brands, have changed. */
export function filterCompiler(
  vocabulary: Vocabulary,
  onUnreadable: (filter: string) => void = () => {},
): (filters: Iterable<string>, brands: readonly BrandRow[]) => (watch: MatchedWatch) => Set<string> {
  let last: { filters: Set<string>; names: string; match: (watch: MatchedWatch) => Set<string> } | undefined
  return (written, brands) => {
    const filters = new Set(written)
    const names = JSON.stringify(brands.map(({ id, name, slug, aliases }) => [id, name, slug, aliases]))
    const isSame =
      last?.names === names && last.filters.size === filters.size && filters.isSubsetOf(last.filters)
    if (last !== undefined && isSame) return last.match
    const match = compileFilters(filters, vocabulary, brands, onUnreadable)
    last = { filters, names, match }
    return match
  }
}

function findNameFault(pair: string): string | undefined {
  const [parameter] = splitQuery(pair, watchNames)
  if (parameter === undefined) {
    const name = pair.slice(0, Math.min(pair.search(/[=[]|$/), nameCharsMax))
    const known = `${narrowingNames.slice(0, -1).join(', ')} or ${narrowingNames.at(-1)}`
    return `The filter parameter ${name} is not known: it may be ${known}.`
  }
  const { name } = parameter
  return shapingNames.includes(name) ? `The filter parameter ${name} does not narrow watches.` : undefined
}

function invalid(messages: readonly string[]): Problem {
  return new Problem('invalid', { errors: { filter: [...new Set(messages)].slice(0, messagesMax) } })
}

function findFilter(text: string, vocabulary: Vocabulary): WatchFilter | undefined {
  try {
    return parseFilter(text, vocabulary)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The reference, and what is before each bracket: `126610LN (Submariner Date)` is found by `126610LN`. */
function withoutRemarks(reference: string): string[] {
  const ends = [...reference.matchAll(/\(/g)].map(({ index }) => index)
  return [reference, ...ends.map((end) => reference.slice(0, end))]
}

function pricesOf({ retail_price_usd, current_market_price }: MatchedWatch): WatchNumber[] {
  return [
    { key: 'retail_price_usd', number: retail_price_usd ?? Number.NaN },
    { key: 'current_market_price', number: current_market_price ?? Number.NaN },
  ]
}
