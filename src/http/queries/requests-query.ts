// Parses the query string of the request log: filters by status, method, key, text of the path and request id, the
// position to continue from and the limit. An empty filter is ignored.
import { isStatusFilter, type RequestsWanted } from '../../access/request-log/request-log.ts'
import { addError, parseGiven, readInteger, spoken } from '../../search/query/parameters.ts'
import { splitQuery } from '../../search/query/query-string.ts'

const textMaxLength = 512
const limitMax = 100
const limitDefault = 50

interface Filter {
  /** Whether the raw value is valid. */
  readonly isGood: (raw: string) => boolean
  /** Completes "The status …". */
  readonly fault: string
}

const name: Filter = { isGood: (raw) => /^[\x21-\x7e]{1,128}$/.test(raw), fault: 'is not one.' }

const filters = {
  status: { isGood: isStatusFilter, fault: 'must be a status such as 429, or a class such as 4xx.' },
  method: {
    isGood: (raw) => /^[A-Z-]{1,20}$/.test(raw),
    fault: 'must be a method in capital letters, such as GET.',
  },
  key: name,
  q: {
    isGood: (raw) => raw.length <= textMaxLength && !/\p{Cc}/u.test(raw),
    fault: `must be at most ${textMaxLength} characters, none of them a control character.`,
  },
  request_id: name,
  before: {
    isGood: (raw) => /^[0-9a-f]{28}$/.test(raw),
    fault: 'is not one: take it from the page before.',
  },
} as const satisfies Record<string, Filter>

const names = [...Object.keys(filters), 'limit']

export function parseRequestsQuery(raw: string): RequestsWanted {
  const parameters = splitQuery(raw, names).filter(({ value, fault }) => value !== '' || fault !== undefined)
  return parseGiven(parameters, (given, errors) => {
    const wanted: Partial<Record<keyof typeof filters, string>> = {}
    for (const [field, { isGood, fault }] of Object.entries(filters)) {
      const value = given.values.get(field)
      if (value === undefined) continue
      if (isGood(value)) wanted[field as keyof typeof filters] = value
      else addError(errors, field, `The ${spoken(field)} ${fault}`)
    }
    return { ...wanted, limit: readInteger(given, 'limit', 1, limitMax, errors) ?? limitDefault }
  })
}
