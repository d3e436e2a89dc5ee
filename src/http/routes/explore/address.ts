// Parses and builds the URLs of the explorer: a query is a list of parts that are added, removed and serialised
// again, so that every link is a query of the API. Knows nothing of search results.

import { isLonger } from '../../../search/query/filter-values.ts'
import { pathOf, writtenPath } from '../../../search/query/one-level.ts'
import { queryLimits } from '../../../search/query/operators.ts'
import { isItem } from '../../../search/query/parameters.ts'
import { watchNames } from '../../../search/query/parse-query.ts'
import { splitQuery } from '../../../search/query/query-string.ts'
import { splitValues } from '../../../search/query/value-texts.ts'

/** One `name[path]=value`, decoded. */
export interface Part {
  readonly name: string
  readonly path: readonly string[]
  readonly value: string
}

/** A hidden form field: the rest of the query, as one text that browsers send unchanged. */
const keepName = 'keep'
/** The ids of watches ticked for comparison. They are not part of the query, and are never sent to the API. */
export const tickedName = 'compare'
const formNames: readonly string[] = [...watchNames, keepName, tickedName]
/** More than can be compared side by side, so that the visitor can choose which to leave out. */
const tickedMax = 20
/**
 * Operators whose value may be trimmed: white space alone counts as empty. For other spec filters it may be the
 * value.
 */
const rangeSuffixes: readonly string[] = ['gt', 'gte', 'lt', 'lte']

/** Parameters of programs: a page has no use for them, and its pages are counted. */
const programNames: readonly string[] = ['after', 'strict']

/** The parts of the query that a list of watches knows, one for each value; other parameters are ignored. */
export function readParts(rawQuery: string): readonly Part[] {
  return splitQuery(rawQuery, watchNames).flatMap(({ name, path, value }) => {
    const [key, operator, ...others] = path
    if (programNames.includes(name)) return []
    if (name !== 'spec' || key === undefined || others.length > 0) return { name, path, value }
    if (operator !== 'any') return { name, path: isItem(operator) ? [key, ''] : path, value }
    return splitValues(value, queryLimits.filters).map((one) => ({ name, path: [key, ''], value: one }))
  })
}

/** The parts that all links of a page start with: the query and the ticked watches. */
export function readLinks(rawQuery: string): readonly Part[] {
  return [...readParts(rawQuery), ...tickedParts(readTicked(rawQuery))]
}

/** Returns what `read` makes of the query; `otherwise` where it is malformed or too long. */
export function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Ignores everything that is not an id. */
export function readTicked(rawQuery: string): readonly number[] {
  const items = new URLSearchParams(rawQuery).getAll(tickedName).flatMap((value) => value.split(','))
  return [...new Set(items.filter(isId).map(Number))].slice(0, tickedMax)
}

export function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

/** The part that keeps the watches ticked on the next page. */
export function tickedParts(ids: readonly number[]): readonly Part[] {
  return ids.length === 0 ? [] : [{ name: tickedName, path: [], value: ids.join(',') }]
}

/**
 * The clean query of a submitted form: without empty fields, with `keep` expanded. Undefined where the query is clean
 * already.
 */
export function findCleanQuery(rawQuery: string): string | undefined {
  const kept: string[] = []
  const ticked: string[] = []
  let isClean = true
  for (const raw of rawQuery.split('&')) {
    const [part] = splitQuery(raw, formNames)
    if (part === undefined) continue
    const isFaulty = part.fault !== undefined
    if (part.name === keepName && !isFaulty) kept.push(part.value)
    else if (part.name === tickedName) ticked.push(raw)
    else if (isFaulty || !isEmpty(part)) kept.push(raw)
    if (!isFaulty && (part.name === keepName || isEmpty(part))) isClean = false
  }
  if (isClean && ticked.length < 2) return undefined
  // Browsers send ticked boxes as separate parameters: joined into one here.
  kept.push(queryOf(tickedParts(readTicked(ticked.join('&')))))
  const query = kept.filter((raw) => raw !== '').join('&')
  // Encoded, because the query becomes a Location header and `keep` may contain anything.
  return query.replace(/[^!-~]/gu, encode)
}

export function addressOf(path: string, parts: readonly Part[]): string {
  return parts.length === 0 ? path : `${path}?${queryOf(parts)}`
}

/** The name of the form field for a part: `spec[dial_color][gte]`. */
export function fieldOf({ name, path }: Omit<Part, 'value'>): string {
  return (
    name +
    writtenPath(path)
      .map((inner) => `[${inner}]`)
      .join('')
  )
}

/** Brackets stay literal and their contents are encoded, so that a key may contain any character. */
export function queryOf(parts: readonly Part[]): string {
  return parts
    .map(({ name, path, value }) => {
      const brackets = writtenPath(path).map((inner) => `[${encode(inner)}]`)
      return `${name}${brackets.join('')}=${encode(value)}`
    })
    .join('&')
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27').replaceAll('%2C', ',')
}

/** Leave out the page wherever the query changes: a changed query starts at its first page. */
export function without(parts: readonly Part[], ...names: readonly string[]): readonly Part[] {
  return parts.filter(({ name }) => !names.includes(name))
}

/** One value becomes `spec[key]`, several become `spec[key][]`, which matches any of them. */
export function specParts(key: string, values: readonly string[]): readonly Part[] {
  const path = values.length === 1 ? pathOf(key) : [key, '']
  return values.map((value) => ({ name: 'spec', path, value }))
}

/** Whether a stored value can be used in a query. Not all can, since stored values have no limits. */
export function canBeAsked(value: string, key = 'x'): boolean {
  return (
    key !== '' &&
    value !== '' &&
    key.isWellFormed() &&
    value.isWellFormed() &&
    !isLonger(key, queryLimits.keyLength) &&
    !isLonger(value, queryLimits.valueLength)
  )
}

/**
 * Whether a key survives as the name of a form field. Browsers change line breaks in names, and `][` is parsed as two
 * brackets: such a key would come back as another one.
 */
export function survivesForm(key: string): boolean {
  return canBeAsked('x', key) && !/\]\[|[\r\n]/.test(key)
}

function isEmpty({ name, path, value }: Part): boolean {
  const isLoose = name !== 'spec' || rangeSuffixes.includes(path.at(1) ?? '')
  return (isLoose ? value.trim() : value) === ''
}
