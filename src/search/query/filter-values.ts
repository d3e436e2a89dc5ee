// Checks the values of filters, and tells how to write what a client has garbled.
import { unitOf } from '../../specs/quantities.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import {
  bracketsOf,
  findOperator,
  isPrice,
  type OperatorRow,
  parameterNames,
  queryLimits,
} from './operators.ts'
import { addFault, choiceOf, isItem, notBoolean, parseBoolean, type QueryErrors } from './parameters.ts'
import { findGarbled, type Garbled, garbledTexts, splitValues } from './value-texts.ts'
import type { Filter, Operator, Subject } from './watch-query.ts'

export const tooLong = `may not be greater than ${queryLimits.valueLength} characters.`

/** What decides which values are valid. */
export interface Known {
  readonly vocabulary: Vocabulary
  readonly isStored: (filter: Filter) => boolean
}

/** One filter parameter: the value, its operator, and the field or spec key it applies to. */
export interface Statement {
  readonly subject: Subject
  readonly key: string
  readonly field: string
  readonly row: OperatorRow
  readonly values: readonly string[]
}

export function checkValue(
  statement: Statement,
  value: string,
  { vocabulary, isStored }: Known,
  errors: QueryErrors,
): void {
  const { subject, key, field, row } = statement
  const garbled = row.operator === 'exact' ? undefined : findGarbled(value)
  if (value === '') addFault(errors, field, 'field is required.')
  else if (isLonger(value, queryLimits.valueLength)) addFault(errors, field, tooLong)
  else if (
    garbled !== undefined &&
    !isStored({ subject, key, ...storedAs(subject, garbled), values: [value] })
  ) {
    addFault(errors, field, unsent(statement, garbled))
  } else if (isPrice(subject)) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) addFault(errors, field, 'must be a number such as 5000.')
  } else if (row.value === 'boolean') {
    if (parseBoolean(value) === undefined) addFault(errors, field, notBoolean)
  } else if (row.value === 'quantity' && vocabulary.read(key, value).number === undefined) {
    const unit = unitOf(key)
    const wanted = unit === undefined ? 'a number' : `a number or a quantity such as 10 ${unit}`
    addFault(errors, field, `must be ${wanted}.`)
  }
}

/** The values of `spec[key:any]=a,b`. One that has a comma itself counts as it is, too, if a watch has it. */
export function valuesOf(
  { subject, key, value }: Pick<Statement, 'subject' | 'key'> & { readonly value: string },
  { isStored }: Known,
): readonly string[] {
  const values = splitValues(value, queryLimits.filters + 1)
  if (values.length === 1 || !isStored({ subject, key, operator: exactly(subject), values: [value] }))
    return values
  return [value, ...values.filter((one) => one !== '')]
}

/** `>=100 m` equals 100 m: whether a watch has it as it is, is another question. */
function storedAs(subject: Subject, garbled: Garbled): Pick<Filter, 'operator'> {
  return { operator: garbled === 'operator' ? exactly(subject) : 'is' }
}

/** The operator by which a value is found only as it is. */
function exactly(subject: Subject): Operator {
  return subject === 'spec' ? 'exact' : 'is'
}

/** Why there is no operator in `path[at]`. */
export function unknownOperator(subject: Subject, path: readonly string[], at: number): string {
  const isKnown = findOperator(subject, path.slice(0, at + 1), at) !== undefined
  if (path.length === at + 2 && isKnown && isItem(path[at + 1]))
    return 'operator takes one value, not a list.'
  if (subject === 'spec' || isPrice(subject)) {
    return `operator is not known: it may be ${choiceOf(bracketsOf(subject))}.`
  }
  return `must be written as ${subject}=a or, for any of several, ${subject}[]=a&${subject}[]=b.`
}

export function givenTwice(subject: Subject, key: string): string {
  const { nested, oneLevel } = parameterNames({ subject, key, operator: 'any' })
  const form = nested === oneLevel ? `${oneLevel}=a,b` : `${nested}=a&${nested}=b`
  return `must be given once; for one of several values, write ${form}.`
}

/** What to send instead of a value that the client has garbled. */
function unsent({ subject, key, row }: Statement, what: Garbled): string {
  const formOf = (operator: Operator, sent: (name: string) => string, oneLevelValue = 'value') => {
    const { nested, oneLevel } = parameterNames({ subject, key, operator })
    const short = `${oneLevel}=${oneLevelValue}`
    return nested === oneLevel ? short : `${sent(nested)} or ${short}`
  }
  const once = (name: string) => `${name}=value`
  const isRanged = row.operator === 'is' || row.value === 'quantity'
  const forms: Record<Garbled, () => string> = {
    list: () =>
      isPrice(subject) ? formOf('gte', once) : formOf('any', (name) => `${name}=a&${name}=b`, 'a,b'),
    object: () =>
      isRanged && (subject === 'spec' || isPrice(subject)) ? formOf('gte', once) : formOf(row.operator, once),
    operator: () => (subject === 'spec' || isPrice(subject) ? formOf('gte', once) : formOf('is', once)),
    quoted: () => formOf(row.operator, once),
  }
  return `${garbledTexts[what]}: write ${forms[what]()}.`
}

/** Compares the number of code points; counts them only if the number of UTF-16 units does not decide. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}
