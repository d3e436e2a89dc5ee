// Turns filters into conditions on a single watch. A condition lists marks: short texts, most of them terms, of which
// the watch must have one, or must not have one. The filters mean the same as in find-matches.ts, which evaluates them
// on sets of watches.
import { foldReference, foldText } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { collectionKey, collectionTerm, keyTerm, specTerm, wordTerm } from '../dictionary/terms.ts'
import type { BrandNames } from '../index/brand-names.ts'
import type { Filter, Operator, WatchQuery } from '../query/watch-query.ts'

/** The parts of a query that narrow the watches. */
export type WatchFilter = Pick<WatchQuery, 'filters' | 'ids' | 'words'>

export interface WatchCondition {
  /** The watch must have one of these marks; if empty, any watch passes. */
  readonly wanted: readonly string[]
  /** How rare the wanted marks are: the lower, the fewer watches have one. */
  readonly rank: number
  /** The watch must have none of these marks. */
  readonly unwanted?: readonly string[]
  readonly range?: NumberRange
  /** The length of the prefix, if the condition matches words by prefix. */
  readonly prefixLength?: number
}

/** Requires that one of the numbers of the key is within the range. */
export interface NumberRange {
  /** The term of a spec key, or the field name of a price; no term begins like these names. */
  readonly key: string
  readonly operator: Operator
  readonly bound: number
}

interface Known {
  readonly vocabulary: Vocabulary
  readonly brands: BrandNames
}

/** From rarest to most frequent: ids and references, values and words, prefixes of words, spec keys, anything. */
const ranks = { own: 0, term: 1, prefix: 2, key: 3, any: 4 } as const

export function conditionsOf(known: Known, { filters, ids, words }: WatchFilter): WatchCondition[] {
  const conditions = filters.map((filter) => conditionOf(known, filter))
  if (ids !== undefined) conditions.push({ wanted: ids.map(idMark), rank: ranks.own })
  for (const word of words.slice(0, -1)) conditions.push(termCondition([wordTerm(word)]))
  const last = words.at(-1)
  if (last !== undefined) {
    conditions.push({ wanted: [prefixMark(last)], rank: ranks.prefix, prefixLength: last.length })
  }
  return conditions
}

// The marks that are not terms.
export const idMark = (id: number): string => `#${id}`
export const referenceMark = (folded: string): string => `r${folded}`
/** The `*` cannot clash with the mark of a word: words consist only of letters and digits. */
export const prefixMark = (prefix: string): string => `${wordTerm(prefix)}*`
/** Not the brand's term: in this folder brand terms are numbered by name, not by the brand's id. */
const brandMark = (id: number): string => `@${id}`

/** Returns a function from brand name to marks: the mark of the brand with that name, or else those of `brandMarks`. */
export function brandMarker(brands: BrandNames): (name: string) => string[] {
  const ids = new Map(brands.rows.map(({ id, name }) => [name, id]))
  return (name) => {
    const id = ids.get(name)
    return id === undefined ? brandMarks(brands, name) : [brandMark(id)]
  }
}

/** Marks of the brands with this name, slug or alias; if there are none, of the name: the brand may be renamed. */
function brandMarks(brands: BrandNames, name: string): string[] {
  const ids = brands.idsOf(name)
  return ids.length > 0 ? ids.map(brandMark) : [`@:${foldText(name)}`]
}

function conditionOf({ vocabulary, brands }: Known, filter: Filter): WatchCondition {
  const { subject, operator } = filter
  const { values } = filter
  switch (subject) {
    case 'spec':
      return specCondition(vocabulary, filter)
    case 'brand':
      return termCondition([...new Set(values.flatMap((value) => brandMarks(brands, value)))])
    case 'collection':
      return termCondition(values.map((value) => collectionTerm(vocabulary.read(collectionKey, value).term)))
    case 'reference_number':
      return { wanted: values.map((value) => referenceMark(foldReference(value))), rank: ranks.own }
    default:
      return { wanted: [], rank: ranks.any, range: { key: subject, operator, bound: Number(values[0]) } }
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
      return {
        wanted: [having],
        rank: ranks.key,
        unwanted: values.map((value) => specTerm(key, read(value).term)),
      }
    case 'exists':
      return values[0] === 'true'
        ? { wanted: [having], rank: ranks.key }
        : { wanted: [], rank: ranks.any, unwanted: [having] }
    default: {
      const bound = read(values[0]).number ?? Number.NaN
      return { wanted: [having], rank: ranks.key, range: { key: having, operator, bound } }
    }
  }
}

function termCondition(wanted: readonly string[]): WatchCondition {
  return { wanted, rank: ranks.term }
}
