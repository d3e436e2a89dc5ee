// Parses the parameters `from` and `to`: two days, both inclusive, both optional.

import { isDay } from '../../catalogue/days.ts'
import type { DayRange } from '../../catalogue/price-history.ts'
import { addError, type Given, type QueryErrors, refuseIfAny, takeOnce } from '../../search/query/paging.ts'
import { splitQuery } from '../../search/query/query-string.ts'

const names = ['from', 'to'] as const

export function parseDayRange(written: string): DayRange {
  const errors: QueryErrors = new Map()
  const given: Given = new Map()
  for (const parameter of splitQuery(written, names)) takeOnce(parameter, given, errors)
  const [from, to] = names.map((name) => readDay(given, name, errors))
  if (from !== undefined && to !== undefined && to < from) {
    addError(errors, 'to', 'The to must be a date after or equal to from.')
  }
  refuseIfAny(errors)
  return { from, to }
}

/** Undefined where the day is missing or invalid; an invalid one is added to `errors`. */
function readDay(given: Given, name: string, errors: QueryErrors): string | undefined {
  const written = given.get(name)
  if (written === undefined) return undefined
  if (isDay(written)) return written
  if (written === '') addError(errors, name, `The ${name} field is required.`)
  else if (/^\d{4}-\d{2}-\d{2}$/.test(written)) addError(errors, name, `The ${name} is not a valid date.`)
  else addError(errors, name, `The ${name} does not match the format YYYY-MM-DD.`)
  return undefined
}
