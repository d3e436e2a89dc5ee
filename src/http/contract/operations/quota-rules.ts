// The rules of the quota as sentences, for the document and the docs page, and the table of free statuses, which the
// tests read too.
import { testRequestsPerSecond } from '../../../access/plans/plans.ts'
import { textsPerRequest } from '../../operations/resolve.ts'

/** Statuses of responses that are free, for any request. */
export const freeStatuses: readonly number[] = [304, 401, 429]

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const quotaRules: readonly string[] = [
  'A day is a UTC calendar day. Your quota resets at 00:00 UTC; unused requests are not carried over.',
  'All keys of an account share one quota. A change of plan takes effect at once; requests already counted that day stay counted. They also stay counted if you delete your account and sign up again with the same email.',
  `Each request with a valid key counts as one, even if the response is an error such as 403, 404, 405 or 422. Only \`POST /resolve\` counts as one for every ${textsPerRequest} texts, or part of that; it is refused with 429, and not counted, if fewer requests remain.`,
  `Requests that return ${listed.format(freeStatuses.map(String))}, CORS preflights, \`GET /usage\` and requests whose address or headers could not be read cost no quota. A 304 is sent even when no requests remain. Only \`If-None-Match: *\` counts as one request, whatever it returns.`,
  `Requests of test keys cost no quota either, and pass when the quota is used up: at most ${testRequestsPerSecond} per second of an account.`,
  'When the quota is used up, requests are refused with 429 until it resets. `Retry-After` contains the number of seconds until then.',
  'Limits per second protect the server, whatever the plan: on the requests of an account, on those that may cost no quota (100 per second), on slow ones that wait (100 at a time), and on requests of an address without a valid key (50 per second). Beyond, requests are refused with 429 and a `Retry-After` of one second; they are not counted.',
  'Every 429 has `X-RateLimit-Remaining: 0`, and an `X-RateLimit-Reset` at the moment from which requests pass again: after a limit per second, one second later. `GET /usage` shows the day as it is.',
]
