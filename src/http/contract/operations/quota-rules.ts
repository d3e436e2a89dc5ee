// The rules of the quota as sentences, for the document and the docs page, and the table of free statuses, which the
// tests read too.

/** Statuses of responses that are free, for any request. */
export const freeStatuses: readonly number[] = [304, 401, 429]

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const quotaRules: readonly string[] = [
  'A day is a UTC calendar day. Your quota resets at 00:00 UTC; unused requests are not carried over.',
  'All keys of an account share one quota. A change of plan takes effect at once; requests already counted that day stay counted.',
  'Each request with a valid key counts as one, even if the response is an error such as 403, 404, 405 or 422.',
  `Requests that return ${listed.format(freeStatuses.map(String))}, CORS preflights and \`GET /usage\` cost no quota. A 304 is sent even when no requests remain.`,
  'When the quota is used up, requests are refused with 429 until it resets. `Retry-After` contains the number of seconds until then.',
  'A burst limit protects the server, whatever the plan: if an account sends too many requests within a second, or has 100 slow ones waiting, further requests are refused with 429 and a `Retry-After` of about one second. The `X-RateLimit-*` headers still show the daily quota.',
]
