// In charge of what a filter asks of a single watch, as marks: short texts, most of them terms, of which a watch must
// have one or must not have one. What the conditions mean is said in find-matches.ts for sets of watches; here it is the
// same for one.
import { foldReference, foldText } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { BrandNames } from '../index/brand-names.ts'
import { collectionKey, collectionTerm, keyTerm, specTerm, wordTerm } from '../index/terms.ts'
import type { Filter, Operator, WatchQuery } from '../query/watch-query.ts'

/** What narrows watches. */
export type WatchFilter = Pick<WatchQuery, 'filters' | 'ids' | 'words'>

export interface WatchCondition {
  /** The watch has one of these; any watch will do where there are none. */
  readonly wanted: readonly string[]
  /** How many watches may have one: the lower the fewer. */
  readonly rank: number
  readonly unwanted?: string
  readonly range?: NumberRange
  /** Of a condition about the beginning of words. */
  readonly prefixLength?: number
}

/** One of the numbers of the key is within the range. */
export interface NumberRange {
  /** The term of a spec key, or the name of a price: no term begins like one. */
  readonly key: string
  readonly operator: Operator
  readonly bound: number
}

interface Known {
  readonly vocabulary: Vocabulary
  readonly brands: BrandNames
}

/** Ids and references, values and words, beginnings of words, spec keys, anything. */
const ranks = { own: 0, term: 1, prefix: 2, key: 3, any: 4 } as const

export function conditionsOf(known: Known, { filters, ids, words }: WatchFilter): WatchCondition[] {
  const conditions = filters.map((filter) => conditionOf(known, filter))
  if (ids !== undefined) conditions.push({ wanted: ids.map(idMark), rank: ranks.own })
  words.forEach((word, at) => {
    conditions.push(at === words.length - 1 ? prefixCondition(word) : termCondition([wordTerm(word)]))
  })
  return conditions
}

export function idMark(id: number): string {
  return `#${id}`
}

export function referenceMark(folded: string): string {
  return `r${folded}`
}

/** A word is of letters and digits alone: the mark of none ends so. */
export function prefixMark(prefix: string): string {
  return `${wordTerm(prefix)}*`
}

/** By the brand that has the name, or else as a filter for that name has it. */
export function brandMarker(brands: BrandNames): (name: string) => string[] {
  const ids = new Map(brands.rows.map(({ id, name }) => [name, id]))
  return (name) => {
    const id = ids.get(name)
    return id === undefined ? brandMarks(brands, name) : [brandMark(id)]
  }
}

/** Of the brands that go by this name; where none does, of the name: the watch may be as it was before a rename. */
function brandMarks(brands: BrandNames, name: string): string[] {
  const ids = brands.idsOf(name)
  return ids.length > 0 ? ids.map(brandMark) : [`@:${foldText(name)}`]
}

/** Not the term of a brand: those that a watch has here are of names, not of ids. */
function brandMark(id: number): string {
  return `@${id}`
}

function conditionOf({ vocabulary, brands }: Known, filter: Filter): WatchCondition {
  const { subject, operator } = filter
  const [written = ''] = filter.values
  switch (subject) {
    case 'spec':
      return specCondition(vocabulary, filter)
    case 'brand':
      return termCondition(brandMarks(brands, written))
    case 'collection':
      return termCondition([collectionTerm(vocabulary.read(collectionKey, written).term)])
    case 'reference_number':
      return { wanted: [referenceMark(foldReference(written))], rank: ranks.own }
    default:
      return { wanted: [], rank: ranks.any, range: { key: subject, operator, bound: Number(written) } }
  }
}

function specCondition(vocabulary: Vocabulary, { key, operator, values }: Filter): WatchCondition {
  const read = (value = '') => vocabulary.read(key, value)
  const having = keyTerm(key)
  switch (operator) {
    case 'is':
    case 'any':
      return termCondition([...new Set(values.map((value) => specTerm(key, read(value).term)))])
    case 'exact':
      return termCondition([specTerm(key, read(values[0]).exact)])
    case 'not':
      return { wanted: [having], rank: ranks.key, unwanted: specTerm(key, read(values[0]).term) }
    case 'exists':
      return values[0] === 'true'
        ? { wanted: [having], rank: ranks.key }
        : { wanted: [], rank: ranks.any, unwanted: having }
    default: {
      const bound = read(values[0]).number ?? Number.NaN
      return { wanted: [having], rank: ranks.key, range: { key: having, operator, bound } }
    }
  }
}

function termCondition(wanted: readonly string[]): WatchCondition {
  return { wanted, rank: ranks.term }
}

function prefixCondition(prefix: string): WatchCondition {
  return { wanted: [prefixMark(prefix)], rank: ranks.prefix, prefixLength: prefix.length }
}
