// Parses the query string of a list into a WatchQuery or ListQuery, or throws a 422 with every error it has.
// The parameters and operators are defined in operators.ts. Evaluating the query is up to the index.
import { foldWords, plainText } from '../../specs/fold.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import {
  checkValue,
  givenTwice,
  isLonger,
  type Known,
  type Statement,
  tooLong,
  unknownOperator,
  valuesOf,
} from './filter-values.ts'
import {
  findOperator,
  findSubject,
  isPrice,
  listParameters,
  queryLimits,
  sortFields,
  takesSeveral,
  watchFields,
} from './operators.ts'
import { type Paging, readAfter, readPaging } from './paging.ts'
import {
  addError,
  addFault,
  choiceOf,
  type Given,
  nothingGiven,
  parseBoolean,
  parseGiven,
  type QueryErrors,
  readBoolean,
  readList,
  refuseIfAny,
  take,
} from './parameters.ts'
import { type Parameter, splitQuery } from './query-string.ts'
import { findGarbled } from './value-texts.ts'
import type { Filter, ListQuery, Subject, WatchQuery } from './watch-query.ts'

interface FilterDraft extends Filter {
  readonly values: string[]
}

/** The names of all parameters of a list that can be searched, sorted and paged. */
export const searchNames: readonly string[] = ['page', 'per_page', 'q', 'sort']
/** The names of all parameters of the list of watches. */
export const watchNames: readonly string[] = ['spec', ...listParameters.map(({ name }) => name)]
const listNames: readonly string[] = listParameters
  .filter(({ type }) => type.startsWith('list'))
  .map(({ name }) => name)
const watchFieldNames: readonly string[] = watchFields
/** Without another order, the best matches come first. */
const sortFieldsOfText = ['relevance', ...sortFields.filter((field) => field !== 'relevance')] as const
const specPrefix = 'specs.'
/** Of a value in an error text. */
const shownLength = 40

/** `isStored` tells whether a watch has a value that looks as if a client had garbled it, or as if it was a list. */
export function parseWatchQuery(
  written: string,
  vocabulary: Vocabulary,
  isStored: (filter: Filter) => boolean = () => false,
): WatchQuery {
  const errors: QueryErrors = new Map()
  const given = nothingGiven()
  const filters = readFilters(splitQuery(written, watchNames), given, { vocabulary, isStored }, errors)
  const words = readWords(given, errors)
  const after = readAfter(given, errors)
  const ids = readIds(given, errors)
  const isByRelevance = words.length > 0 && after === undefined
  const query = {
    filters,
    ids,
    after,
    words,
    text: words.length === 0 ? undefined : plainText(given.values.get('q') ?? ''),
    sort: readSort(given, isByRelevance ? sortFieldsOfText : sortFields, errors),
    paging: readPagingOf(given, ids, errors),
    fields: readFields(given, errors),
    facets: readFacets(given, errors),
    explain: readBoolean(given, 'explain', errors),
    strict: readBoolean(given, 'strict', errors),
  }
  if (after !== undefined && (query.sort.by !== 'id' || query.sort.descending)) {
    addFault(errors, 'after', 'needs the order by id: leave out sort, or send sort=id.')
  }
  // Whoever counts pages beside a fixed `after` would get the first one for ever.
  if (after === 0 && query.paging.page > 1) {
    addFault(errors, 'page', 'has no effect with after=0: follow the next URL of the Link header.')
  }
  refuseIfAny(errors)
  return query
}

/** Whoever asks for certain watches gets them on one page. */
function readPagingOf(given: Given, ids: readonly number[] | undefined, errors: QueryErrors): Paging {
  const paging = readPaging(given, errors)
  return ids === undefined || given.values.has('per_page') ? paging : { ...paging, perPage: ids.length }
}

/** The first of `sorts` is the default. */
export function parseListQuery<Sort extends string>(
  written: string,
  sorts: readonly [Sort, ...Sort[]],
): ListQuery<Sort> {
  return parseGiven(splitQuery(written, searchNames), (given, errors) => ({
    words: readWords(given, errors),
    sort: readSort(given, sorts, errors),
    paging: readPaging(given, errors),
  }))
}

/** Returns the filters. Parameters that are not filters are added to `given`. */
function readFilters(
  parameters: readonly Parameter[],
  given: Given,
  known: Known,
  errors: QueryErrors,
): readonly Filter[] {
  const filters: FilterDraft[] = []
  let count = 0
  for (const parameter of parameters) {
    const subject = parameter.fault === 'encoding' ? undefined : findSubject(parameter.name)
    if (subject === undefined) {
      take(parameter, given, errors, listNames)
      continue
    }
    const statement =
      count < queryLimits.filters ? readStatement(parameter, subject, known, errors) : undefined
    count += statement?.values.length ?? 1
    if (count > queryLimits.filters) {
      addFault(errors, 'spec', `must not have more than ${queryLimits.filters} filters.`)
    } else if (statement !== undefined) {
      for (const value of statement.values) checkValue(statement, value, known, errors)
      addFilter(statement, filters, errors)
    }
  }
  return filters
}

function readStatement(
  { path, value, fault }: Parameter,
  subject: Subject,
  known: Known,
  errors: QueryErrors,
): Statement | undefined {
  const isSpec = subject === 'spec'
  const key = isSpec ? (path[0] ?? '') : subject
  if (key === '') {
    addFault(errors, 'spec', 'must be written as spec[key]=value or, for a range, spec[key:gte]=value.')
    return undefined
  }
  const field = isSpec ? `spec.${key}` : subject
  if (isSpec && isLonger(key, queryLimits.keyLength)) {
    addError(errors, field, `The spec key may not be greater than ${queryLimits.keyLength} characters.`)
  }
  const row = fault === undefined ? findOperator(subject, path, isSpec ? 1 : 0) : undefined
  if (row !== undefined) {
    const isList = path.at(-1) === 'any' && findGarbled(value) === undefined
    const values = isList ? valuesOf({ subject, key, value }, known) : [value]
    return { subject, key, field, row, values }
  }
  addFault(errors, field, unknownOperator(subject, path, isSpec ? 1 : 0))
  return undefined
}

/** Adds a filter even if its value is invalid: its error is already recorded, and a duplicate must be detected. */
function addFilter(
  { subject, key, field, row, values: written }: Statement,
  filters: FilterDraft[],
  errors: QueryErrors,
) {
  const { operator } = row
  const values =
    row.value === 'boolean' ? written.map((value) => String(parseBoolean(value) ?? value)) : [...written]
  const same = filters.find(
    (filter) => filter.key === key && filter.operator === operator && filter.subject === subject,
  )
  if (same === undefined) filters.push({ subject, key, operator, values })
  else if (takesSeveral(operator)) same.values.push(...values)
  else
    addFault(
      errors,
      field,
      operator === 'is' && !isPrice(subject) ? givenTwice(subject, key) : 'must be given once.',
    )
}

function readIds(given: Given, errors: QueryErrors): readonly number[] | undefined {
  const items = readList(given, 'ids', queryLimits.ids, errors)
  if (items === undefined) return undefined
  const ids = items.map(Number)
  if (!items.every((item) => /^[1-9]\d*$/.test(item)) || !ids.every(Number.isSafeInteger)) {
    addFault(errors, 'ids', 'must be positive integers separated by commas.')
  }
  return [...new Set(ids)]
}

function readWords(given: Given, errors: QueryErrors): readonly string[] {
  const written = given.values.get('q')
  if (written === undefined) return []
  if (isLonger(written, queryLimits.valueLength)) {
    addFault(errors, 'q', tooLong)
    return []
  }
  const words = foldWords(written)
  if (words.length === 0) addFault(errors, 'q', 'must contain a letter or a digit.')
  if (words.length > queryLimits.words) {
    addFault(errors, 'q', `may not have more than ${queryLimits.words} words.`)
  }
  return words
}

function readSort<Sort extends string>(given: Given, sorts: readonly [Sort, ...Sort[]], errors: QueryErrors) {
  const written = given.values.get('sort') ?? sorts[0]
  const descending = written.startsWith('-') && written !== '-relevance'
  const name = descending ? written.slice(1) : written
  const by = sorts.find((sort) => sort === name)
  if (by === undefined) {
    const may = `${choiceOf(sorts)}, with a - before it to sort in descending order`
    addError(errors, 'sort', `The selected sort is invalid: it may be ${may}.`)
  }
  return { by: by ?? sorts[0], descending }
}

/** Returns fields in the order of the response, then spec keys sorted, so that equal requests have one ETag. */
function readFields(given: Given, errors: QueryErrors): readonly string[] | undefined {
  const items = readList(given, 'fields', queryLimits.fields, errors)
  if (items === undefined) return undefined
  const asked = new Set(items)
  const fields = watchFieldNames.filter((field) => asked.delete(field))
  const keys = [...asked].sort()
  const unknown = keys.find((item) => !(item.startsWith(specPrefix) && isKey(item.slice(specPrefix.length))))
  if (unknown !== undefined) {
    const may = choiceOf([...watchFieldNames, `${specPrefix}<key>`])
    addError(
      errors,
      'fields',
      `The selected fields is invalid: ${quoted(unknown)} is none. It may be ${may}.`,
    )
  }
  return fields.includes('specs') ? fields : [...fields, ...keys]
}

function readFacets(given: Given, errors: QueryErrors): readonly string[] {
  const items = readList(given, 'facets', queryLimits.facets, errors)
  if (items === undefined) return []
  const unknown = items.find(
    (item) => !isKey(item.startsWith(specPrefix) ? item.slice(specPrefix.length) : item),
  )
  if (unknown !== undefined) {
    const may = `a spec key of 1 to ${queryLimits.keyLength} characters, brand or collection`
    addError(
      errors,
      'facets',
      `The selected facets is invalid: ${quoted(unknown)} is none. It may be ${may}.`,
    )
  }
  return [...new Set(items)]
}

/** The text as a part of an error text. */
function quoted(text: string): string {
  const start = [...text.slice(0, shownLength * 2)].slice(0, shownLength).join('')
  return `"${start.length < text.length ? `${start}…` : text}"`
}

function isKey(text: string): boolean {
  return text !== '' && !isLonger(text, queryLimits.keyLength)
}
