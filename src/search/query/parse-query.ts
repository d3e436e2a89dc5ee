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
  parameterNames,
  queryLimits,
  sortFields,
  watchFields,
} from './operators.ts'
import { type Paging, readAfter, readPaging } from './paging.ts'
import {
  addError,
  addFault,
  choiceOf,
  type Given,
  notBoolean,
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
import { findObjectText, splitValues } from './value-texts.ts'
import type { Filter, ListQuery, Operator, Subject, WatchQuery } from './watch-query.ts'

interface FilterDraft extends Filter {
  readonly values: string[]
}

/** What decides which values are valid. */
interface Known {
  readonly vocabulary: Vocabulary
  readonly isStored: (filter: Filter) => boolean
}

/** One filter parameter: the value, its operator, and the field or spec key it applies to. */
interface Statement {
  readonly subject: Subject
  readonly key: string
  readonly field: string
  readonly row: OperatorRow
  readonly values: readonly string[]
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
const tooLong = `may not be greater than ${queryLimits.valueLength} characters.`
/** Of a value in an error text. */
const shownLength = 40

/** `isStored` tells whether a watch has the value of a filter that looks like an object turned into text. */
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
  }
  readBoolean(given, 'strict', errors)
  if (after !== undefined && (query.sort.by !== 'id' || query.sort.descending)) {
    addFault(errors, 'after', 'needs the order by id: leave out sort, or send sort=id.')
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
    const statement = count < queryLimits.filters ? readStatement(parameter, subject, errors) : undefined
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
    // A list of values is one text where the operator is a word, as in `spec[key:any]=a,b`.
    const values = path.at(-1) === 'any' ? splitValues(value, queryLimits.filters + 1) : [value]
    return { subject, key, field, row, values }
  }
  addFault(errors, field, unknownOperator(subject))
  return undefined
}

function unknownOperator(subject: Subject): string {
  const brackets = bracketsOf(subject)
  if (brackets.length === 0) return 'must be written without brackets.'
  return `operator is not known: it may be ${choiceOf(brackets)}.`
}

function checkValue(
  statement: Statement,
  value: string,
  { vocabulary, isStored }: Known,
  errors: QueryErrors,
): void {
  const { subject, key, field, row } = statement
  const object = row.operator === 'exact' ? undefined : findObjectText(value)
  if (value === '') addFault(errors, field, 'field is required.')
  else if (isLonger(value, queryLimits.valueLength)) addFault(errors, field, tooLong)
  else if (object !== undefined && !isStored({ subject, key, operator: 'is', values: [value] })) {
    addFault(errors, field, unsent(statement, object))
  } else if (isPrice(subject)) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) addFault(errors, field, 'must be a number.')
  } else if (row.value === 'boolean') {
    if (parseBoolean(value) === undefined) addFault(errors, field, notBoolean)
  } else if (row.value === 'quantity' && vocabulary.read(key, value).number === undefined) {
    const unit = unitOf(key)
    const wanted = unit === undefined ? 'a number' : `a number or a quantity such as 10 ${unit}`
    addFault(errors, field, `must be ${wanted}.`)
  }
}

/** What to send instead of an object or a list that the client turned into text. */
function unsent({ subject, key, row }: Statement, what: 'object' | 'list'): string {
  const names = (operator: Operator) => parameterNames({ subject, key, operator })
  const isRanged = row.operator === 'is' || row.value === 'quantity'
  if (what === 'list' && subject === 'spec') {
    const { nested, oneLevel } = names('any')
    return `is a list that your client turned into text: write ${nested}=a&${nested}=b or ${oneLevel}=a,b.`
  }
  const { nested, oneLevel } = names(subject === 'spec' || isPrice(subject) ? 'gte' : 'is')
  const form = isRanged && nested !== oneLevel ? `${nested}=value or ${oneLevel}=value` : `${nested}=value`
  return `is an object that your client turned into text: write ${form}.`
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
  else if (operator === 'any') same.values.push(...values)
  else
    addFault(errors, field, subject === 'spec' && operator === 'is' ? givenTwice(key) : 'must be given once.')
}

function givenTwice(key: string): string {
  const { nested } = parameterNames({ subject: 'spec', key, operator: 'any' })
  return `must be given once; for one of several values, write ${nested}=a&${nested}=b.`
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

/** Compares the number of code points; counts them only if the number of UTF-16 units does not decide. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}
