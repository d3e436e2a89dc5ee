// Parses the query string of a list into a WatchQuery or ListQuery, or throws a 422 with every error it has.
// The parameters and operators are defined in operators.ts. Evaluating the query is up to the index.
import { foldWords, plainText } from '../../specs/fold.ts'
import { unitOf } from '../../specs/quantities.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import {
  bracketsOf,
  findOperator,
  findSubject,
  isPrice,
  listParameters,
  type OperatorRow,
  queryLimits,
  sortFields,
  watchFields,
} from './operators.ts'
import {
  addError,
  addFault,
  type Given,
  parseOnce,
  type QueryErrors,
  readPaging,
  refuseIfAny,
  takeOnce,
} from './paging.ts'
import { type Parameter, splitQuery } from './query-string.ts'
import type { Filter, ListQuery, Subject, WatchQuery } from './watch-query.ts'

interface FilterDraft extends Filter {
  readonly values: string[]
}

/** One filter parameter: the value, its operator, and the field or spec key it applies to. */
interface Statement {
  readonly subject: Subject
  readonly key: string
  readonly field: string
  readonly row: OperatorRow
  readonly value: string
}

const listNames: readonly string[] = ['page', 'per_page', 'q', 'sort']
/** The names of all parameters of the list of watches. */
export const watchNames: readonly string[] = ['spec', ...listParameters.map(({ name }) => name)]
const watchFieldNames: readonly string[] = watchFields
/** Without another order, the best matches come first. */
const sortFieldsOfText = ['relevance', ...sortFields.filter((field) => field !== 'relevance')] as const
const specPrefix = 'specs.'
const tooLong = `may not be greater than ${queryLimits.valueLength} characters.`
const notBoolean = 'field must be true or false.'

export function parseWatchQuery(written: string, vocabulary: Vocabulary): WatchQuery {
  const errors: QueryErrors = new Map()
  const given: Given = new Map()
  const filters = readFilters(splitQuery(written, watchNames), given, vocabulary, errors)
  const words = readWords(given, errors)
  const query = {
    filters,
    ids: readIds(given, errors),
    words,
    text: words.length === 0 ? undefined : plainText(given.get('q') ?? ''),
    sort: readSort(given, words.length === 0 ? sortFields : sortFieldsOfText, errors),
    paging: readPaging(given, errors),
    fields: readFields(given, errors),
    facets: readFacets(given, errors),
    explain: readExplain(given, errors),
  }
  refuseIfAny(errors)
  return query
}

/** The first of `sorts` is the default. */
export function parseListQuery<Sort extends string>(
  written: string,
  sorts: readonly [Sort, ...Sort[]],
): ListQuery<Sort> {
  return parseOnce(splitQuery(written, listNames), (given, errors) => ({
    words: readWords(given, errors),
    sort: readSort(given, sorts, errors),
    paging: readPaging(given, errors),
  }))
}

/** Returns the filters. Parameters that are not filters are added to `given`. */
function readFilters(
  parameters: readonly Parameter[],
  given: Given,
  vocabulary: Vocabulary,
  errors: QueryErrors,
): readonly Filter[] {
  const filters: FilterDraft[] = []
  let count = 0
  for (const parameter of parameters) {
    const subject = parameter.fault === 'encoding' ? undefined : findSubject(parameter.name)
    if (subject === undefined) takeOnce(parameter, given, errors)
    else if (count === queryLimits.filters) {
      addFault(errors, 'spec', `must not have more than ${queryLimits.filters} filters.`)
    } else {
      count += 1
      const statement = readStatement(parameter, subject, errors)
      if (statement === undefined) continue
      checkValue(statement, vocabulary, errors)
      addFilter(statement, filters, errors)
    }
  }
  return filters
}

function readStatement(
  { path, value, fault }: Parameter,
  subject: Subject,
  errors: QueryErrors,
): Statement | undefined {
  const isSpec = subject === 'spec'
  const key = isSpec ? (path[0] ?? '') : subject
  if (key === '') {
    addFault(errors, 'spec', 'must be written as spec[key]=value.')
    return undefined
  }
  const field = isSpec ? `spec.${key}` : subject
  if (isSpec && isLonger(key, queryLimits.keyLength)) {
    addError(errors, field, `The spec key may not be greater than ${queryLimits.keyLength} characters.`)
  }
  const row = fault === undefined ? findOperator(subject, path, isSpec ? 1 : 0) : undefined
  if (row !== undefined) return { subject, key, field, row, value }
  addFault(errors, field, unknownOperator(subject))
  return undefined
}

function unknownOperator(subject: Subject): string {
  const brackets = bracketsOf(subject)
  if (brackets.length === 0) return 'must be written without brackets.'
  return `operator is not known: it may be ${brackets.slice(0, -1).join(', ')} or ${brackets.at(-1)}.`
}

function checkValue(statement: Statement, vocabulary: Vocabulary, errors: QueryErrors): void {
  const { subject, key, field, row, value } = statement
  if (value === '') addFault(errors, field, 'field is required.')
  else if (isLonger(value, queryLimits.valueLength)) addFault(errors, field, tooLong)
  else if (isPrice(subject)) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) addFault(errors, field, 'must be a number.')
  } else if (row.value === 'boolean') {
    if (value !== 'true' && value !== 'false') addFault(errors, field, notBoolean)
  } else if (row.value === 'quantity' && vocabulary.read(key, value).number === undefined) {
    const unit = unitOf(key)
    const wanted = unit === undefined ? 'a number' : `a number or a quantity such as 10 ${unit}`
    addFault(errors, field, `must be ${wanted}.`)
  }
}

/** Adds a filter even if its value is invalid: its error is already recorded, and a duplicate must be detected. */
function addFilter(
  { subject, key, field, row, value }: Statement,
  filters: FilterDraft[],
  errors: QueryErrors,
) {
  const { operator } = row
  const same = filters.find(
    (filter) => filter.key === key && filter.operator === operator && filter.subject === subject,
  )
  if (same === undefined) filters.push({ subject, key, operator, values: [value] })
  else if (operator === 'any') same.values.push(value)
  else addFault(errors, field, 'must be given once.')
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
  const written = given.get('q')
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
  const written = given.get('sort') ?? sorts[0]
  const descending = written.startsWith('-') && written !== '-relevance'
  const name = descending ? written.slice(1) : written
  const by = sorts.find((sort) => sort === name)
  if (by === undefined) addError(errors, 'sort', 'The selected sort is invalid.')
  return { by: by ?? sorts[0], descending }
}

/** Returns fields in the order of the response, then spec keys sorted, so that equal requests have one ETag. */
function readFields(given: Given, errors: QueryErrors): readonly string[] | undefined {
  const items = readList(given, 'fields', queryLimits.fields, errors)
  if (items === undefined) return undefined
  const asked = new Set(items)
  const fields = watchFieldNames.filter((field) => asked.delete(field))
  const keys = [...asked].sort()
  if (!keys.every((item) => item.startsWith(specPrefix) && isKey(item.slice(specPrefix.length)))) {
    addError(errors, 'fields', 'The selected fields is invalid.')
  }
  return fields.includes('specs') ? fields : [...fields, ...keys]
}

function readFacets(given: Given, errors: QueryErrors): readonly string[] {
  const items = readList(given, 'facets', queryLimits.facets, errors)
  if (items === undefined) return []
  if (!items.every((item) => isKey(item.startsWith(specPrefix) ? item.slice(specPrefix.length) : item))) {
    addError(errors, 'facets', 'The selected facets is invalid.')
  }
  return [...new Set(items)]
}

function readExplain(given: Given, errors: QueryErrors): boolean {
  const written = given.get('explain') ?? 'false'
  if (!['1', 'true', '0', 'false'].includes(written)) addFault(errors, 'explain', notBoolean)
  return written === '1' || written === 'true'
}

function readList(given: Given, field: string, max: number, errors: QueryErrors): string[] | undefined {
  const items = given.get(field)?.split(',', max + 1)
  if (items !== undefined && items.length > max) {
    addFault(errors, field, `may not have more than ${max} items.`)
  }
  return items
}

function isKey(text: string): boolean {
  return text !== '' && !isLonger(text, queryLimits.keyLength)
}

/** Compares the number of code points; counts them only if the number of UTF-16 units does not decide. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}
