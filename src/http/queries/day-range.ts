// In charge of `from` and `to`: two days, both inclusive, each of which may be left out.

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

/** Undefined where it is not given, and where it is wrong. */
function readDay(given: Given, name: string, errors: QueryErrors): string | undefined {
  const written = given.get(name)
  if (written === undefined) return undefined
  if (isDay(written)) return written
  if (written === '') addError(errors, name, `The ${name} field is required.`)
  else if (/^\d{4}-\d{2}-\d{2}$/.test(written)) addError(errors, name, `The ${name} is not a valid date.`)
  else addError(errors, name, `The ${name} does not match the format YYYY-MM-DD.`)
  return undefined
}
