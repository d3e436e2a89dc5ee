// Collects the parameters of a request by name, and reads values that many of them have: integers, booleans, lists. Errors
// are collected by field, so that one response reports all of them.
import { Problem } from '../../errors.ts'
import type { Parameter } from './query-string.ts'

/** The parameters of a request, by name. */
export interface Given {
  /** Those that take one value. */
  readonly values: Map<string, string>
  /** Those that take a list. */
  readonly lists: Map<string, string[]>
}

/** Error texts by field. A Map, because a caller may name a field `__proto__`. */
export type QueryErrors = Map<string, string[]>

/** Parses parameters with `read`, and throws a 422 with every error they have. Those of `listNames` take a list. */
export function parseGiven<Query>(
  parameters: readonly Parameter[],
  read: (given: Given, errors: QueryErrors) => Query,
  listNames: readonly string[] = [],
): Query {
  const errors: QueryErrors = new Map()
  const given = nothingGiven()
  for (const parameter of parameters) take(parameter, given, errors, listNames)
  const query = read(given, errors)
  refuseIfAny(errors)
  return query
}

export function nothingGiven(): Given {
  return { values: new Map(), lists: new Map() }
}

export function take(
  parameter: Parameter,
  given: Given,
  errors: QueryErrors,
  listNames: readonly string[],
): void {
  const { name, path, value, fault } = parameter
  if (fault === 'encoding') addEncodingError(parameter, errors)
  else if (listNames.includes(name)) takeItems(parameter, given, errors)
  else if (fault === 'brackets' || path.length > 0) {
    addFault(errors, name, 'must be written without brackets.')
  } else if (given.values.has(name)) addFault(errors, name, 'must be given once.')
  else given.values.set(name, value)
}

/** Whether the text in the brackets makes an item of a list: `ids[]=1` and `ids[0]=1`. */
export function isItem(text: string | undefined): boolean {
  return text !== undefined && /^\d{0,4}$/.test(text)
}

/** `["id","brand"]`, which no name of a field looks like. */
const listText = /^\s*\[\s*["'].*\]\s*$/s

/** A list may be written `ids=1,2`, `ids=1&ids=2`, `ids[]=1&ids[]=2` or `ids[0]=1&ids[1]=2`. */
function takeItems({ name, path, value, fault }: Parameter, { lists }: Given, errors: QueryErrors): void {
  const [index] = path
  if (fault === 'brackets' || path.length > 1 || (path.length === 1 && !isItem(index))) {
    addFault(errors, name, `must be written as ${name}=a,b or ${name}[]=a&${name}[]=b.`)
    return
  }
  if (listText.test(value)) {
    addFault(errors, name, `is a list that your client turned into text: write ${name}=a,b.`)
    return
  }
  const items = index === undefined ? value.split(',', itemsReadMax) : [value]
  const known = lists.get(name)
  if (known === undefined) lists.set(name, items)
  else known.push(...items)
}

/** More than any list may have. */
const itemsReadMax = 1_000

/** Returns undefined if the list is not given. */
export function readList(
  { lists }: Given,
  field: string,
  max: number,
  errors: QueryErrors,
): readonly string[] | undefined {
  const items = lists.get(field)
  if (items !== undefined && items.length > max) {
    addFault(errors, field, `may not have more than ${max} items.`)
  }
  return items
}

/** Returns undefined if the parameter is not given. */
export function readInteger(
  { values }: Given,
  field: string,
  min: number,
  max: number,
  errors: QueryErrors,
): number | undefined {
  const written = values.get(field)
  if (written === undefined) return undefined
  const number = Number(written)
  if (!/^-?(0|[1-9]\d*)$/.test(written)) addFault(errors, field, 'must be an integer.')
  else if (number < min || number > max) addFault(errors, field, `must be between ${min} and ${max}.`)
  return number
}

/** All spellings of a boolean, in any case. */
export const booleanTexts = { true: ['true', '1', 'yes', 'on'], false: ['false', '0', 'no', 'off'] } as const
export const notBoolean = 'field must be true or false.'

/** Returns undefined if the text is not a boolean. */
export function parseBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase()
  if (booleanTexts.true.some((one) => one === lower)) return true
  return booleanTexts.false.some((one) => one === lower) ? false : undefined
}

/** Returns false if the parameter is not given. */
export function readBoolean({ values }: Given, field: string, errors: QueryErrors): boolean {
  const written = values.get(field)
  if (written === undefined) return false
  const read = parseBoolean(written)
  if (read === undefined) addFault(errors, field, notBoolean)
  return read ?? false
}

function addEncodingError({ name, path: [key = ''] }: Parameter, errors: QueryErrors): void {
  const field = name === 'spec' && key !== '' ? `spec.${key}` : name === '' ? 'query' : name
  addFault(errors, field, 'must be valid percent-encoded UTF-8.')
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
  addError(errors, field, `The selected ${spoken(field)} is invalid: it may be ${choiceOf(choices)}.`)
}

/** Joins the choices as in a sentence: `a, b or c`. */
export function choiceOf(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}
