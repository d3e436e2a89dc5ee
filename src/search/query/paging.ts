// Parses `page` and `per_page`, and provides the shared checks of single-valued parameters: given once, without
// brackets. Errors are collected by field, so that one response reports all of them.
import { Problem } from '../../errors.ts'
import { type Parameter, splitQuery } from './query-string.ts'

export interface Paging {
  readonly page: number
  readonly perPage: number
}

/** The single-valued parameters of a request, by name. */
export type Given = Map<string, string>
/** Error texts by field. A Map, because a caller may name a field `__proto__`. */
export type QueryErrors = Map<string, string[]>

export const pageMax = 1_000_000_000
export const perPageMax = 100
export const perPageDefault = 25

const pagingNames: readonly string[] = ['page', 'per_page']

/** Parses the query string of a list that takes only `page` and `per_page`. */
export function parsePaging(written: string): Paging {
  return parseOnce(splitQuery(written, pagingNames), readPaging)
}

/** Parses single-valued parameters with `read`, and throws a 422 with every error they have. */
export function parseOnce<Query>(
  parameters: readonly Parameter[],
  read: (given: Given, errors: QueryErrors) => Query,
): Query {
  const errors: QueryErrors = new Map()
  const given: Given = new Map()
  for (const parameter of parameters) takeOnce(parameter, given, errors)
  const query = read(given, errors)
  refuseIfAny(errors)
  return query
}

export function takeOnce(parameter: Parameter, given: Given, errors: QueryErrors): void {
  const { name, path, value, fault } = parameter
  if (fault === 'encoding') addEncodingError(parameter, errors)
  else if (fault === 'brackets' || path.length > 0) {
    addFault(errors, name, 'must be written without brackets.')
  } else if (given.has(name)) addFault(errors, name, 'must be given once.')
  else given.set(name, value)
}

function addEncodingError({ name, path: [key = ''] }: Parameter, errors: QueryErrors): void {
  const field = name === 'spec' && key !== '' ? `spec.${key}` : name === '' ? 'query' : name
  addFault(errors, field, 'must be valid percent-encoded UTF-8.')
}

export function readPaging(given: Given, errors: QueryErrors): Paging {
  const page = readInteger(given, 'page', 1, pageMax, errors) ?? 1
  const perPage = readInteger(given, 'per_page', 1, perPageMax, errors) ?? perPageDefault
  return { page, perPage }
}

/** Returns undefined if the parameter is not given. */
export function readInteger(
  given: Given,
  field: string,
  min: number,
  max: number,
  errors: QueryErrors,
): number | undefined {
  const written = given.get(field)
  if (written === undefined) return undefined
  const number = Number(written)
  if (!/^-?(0|[1-9]\d*)$/.test(written)) addFault(errors, field, 'must be an integer.')
  else if (number < min || number > max) addFault(errors, field, `must be between ${min} and ${max}.`)
  return number
}

export function addError(errors: QueryErrors, field: string, text: string): void {
  const texts = errors.get(field)
  if (texts === undefined) errors.set(field, [text])
  else if (!texts.includes(text)) texts.push(text)
}

/** Adds an error text that begins with the name of the field. */
export function addFault(errors: QueryErrors, field: string, fault: string): void {
  addError(errors, field, `The ${spoken(field)} ${fault}`)
}

/** Returns the name of a field as it appears in an error text. */
export function spoken(field: string): string {
  return field.replaceAll('_', ' ')
}

export function refuseIfAny(errors: QueryErrors): void {
  // Unlike assignment, fromEntries can define an own property called `__proto__`.
  if (errors.size > 0) throw new Problem('invalid', { errors: Object.fromEntries(errors) })
}

/** Adds the error for a parameter whose value is none of the allowed ones. */
export function refuseChoice(errors: QueryErrors, field: string, choices: readonly string[]): void {
  const may = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  addError(errors, field, `The selected ${spoken(field)} is invalid: it may be ${may}.`)
}
