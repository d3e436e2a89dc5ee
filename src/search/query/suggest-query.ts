// Parses the query string of GET /suggest.
import { plainText } from '../../specs/fold.ts'
import { queryLimits } from './operators.ts'
import { addFault, parseGiven, readInteger } from './parameters.ts'
import { splitQuery } from './query-string.ts'

export interface SuggestQuery {
  /** What was typed, without diacritics. */
  readonly text: string
  readonly limit: number
}

export const suggestLimits = { default: 10, max: 20 } as const

export const suggestNames: readonly string[] = ['q', 'limit']

export function parseSuggestQuery(written: string): SuggestQuery {
  return parseGiven(splitQuery(written, suggestNames), (given, errors) => {
    const q = given.values.get('q')
    const text = plainText(q ?? '')
    if (q === undefined) addFault(errors, 'q', 'field is required.')
    else if (!/[\p{L}\p{N}]/u.test(text)) addFault(errors, 'q', 'must contain a letter or a digit.')
    else if ([...q].length > queryLimits.suggestLength) {
      addFault(errors, 'q', `may not be greater than ${queryLimits.suggestLength} characters.`)
    }
    const limit = readInteger(given, 'limit', 1, suggestLimits.max, errors) ?? suggestLimits.default
    return { text, limit }
  })
}
