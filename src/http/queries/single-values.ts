// Parses query strings whose parameters have one value each, and builds the errors of their fields.
import { Problem } from '../../errors.ts'
import {
  addError,
  type Given,
  type QueryErrors,
  refuseIfAny,
  spoken,
  takeOnce,
} from '../../search/query/paging.ts'
import type { Parameter } from '../../search/query/query-string.ts'

/** Returns what `read` makes of the values. Throws one Problem with all errors, those that `read` adds included. */
export function parseSingleValues<Query>(
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

/** Adds the error for a parameter whose value is none of the allowed ones. */
export function refuseChoice(errors: QueryErrors, field: string, choices: readonly string[]): void {
  const may = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  addError(errors, field, `The selected ${spoken(field)} is invalid: it may be ${may}.`)
}

/** The Problem of a single field. */
export function invalid(field: string, text: string): Problem {
  return new Problem('invalid', { errors: { [field]: [text] } })
}
