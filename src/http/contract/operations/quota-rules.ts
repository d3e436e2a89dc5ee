// In charge of what the document and the docs page say of the quota, as sentences; what is free is a table, which the
// tests read too.

/** Answers that cost nothing, whatever was asked. */
export const freeStatuses: readonly number[] = [304, 401, 429]

export const quotaRules: readonly string[] = [
  'A day is a UTC calendar day. At 00:00 UTC all requests of the plan are there again; what was left is not carried over.',
  'All keys of an account share one quota. A change of plan takes effect at once; what was used that day stays used.',
  'A request with a valid key costs one, whatever it is answered: 403, 404, 405 and 422 as well as 200. It is counted before the work is done.',
  `Answers with ${freeStatuses.join(', ')}, CORS preflights and \`GET /usage\` cost nothing. A 304 is answered even when no request is left.`,
  'When the day is spent, requests are refused with 429 until it is over. `Retry-After` says how long that is.',
  'A burst guard protects the machine, whatever the plan: an account that sends too many requests within a second is refused with 429 and a `Retry-After` of a second or so, while the other headers tell what is left of the day.',
]
