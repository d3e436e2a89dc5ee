// Parses the parameters `from` and `to`: two days, both inclusive, both optional.
import { isDay } from '../../catalogue/days.ts'
import type { DayRange } from '../../catalogue/price-history.ts'
import { addError, type Given, parseGiven, type QueryErrors } from '../../search/query/parameters.ts'
import { splitQuery } from '../../search/query/query-string.ts'

export const dayRangeNames = ['from', 'to'] as const

export function parseDayRange(raw: string): DayRange {
  return parseGiven(splitQuery(raw, dayRangeNames), (given, errors) => {
    const [from, to] = dayRangeNames.map((name) => readDay(given, name, errors))
    if (from !== undefined && to !== undefined && to < from) {
      addError(errors, 'to', 'The to must be a date after or equal to from.')
    }
    return { from, to }
  })
}

/** Undefined where the day is missing or invalid; an invalid one is added to `errors`. */
function readDay(given: Given, name: string, errors: QueryErrors): string | undefined {
  const raw = given.values.get(name)
  if (raw === undefined) return undefined
  if (isDay(raw)) return raw
  if (raw === '') addError(errors, name, `The ${name} field is required.`)
  else if (/^\d{4}-\d{2}-\d{2}$/.test(raw)) addError(errors, name, `The ${name} is not a valid date.`)
  else addError(errors, name, `The ${name} does not match the format YYYY-MM-DD.`)
  return undefined
}
