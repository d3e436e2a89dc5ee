// In charge of the headers that a caller may want to read or send, as two tables; the document and the docs page
// show them.

import { keptHours, keyMaxLength } from '../../api/idempotency.ts'

export interface HeaderRow {
  readonly name: string
  readonly meaning: string
  /** `string` unless it says otherwise. */
  readonly type?: 'integer' | 'string'
  readonly example?: number
}

export const answerHeaders = {
  requestId: {
    name: 'X-Request-Id',
    meaning: 'The id of this request, yours if you sent one. A fault of the service is logged under it.',
  },
  rateLimitLimit: {
    name: 'X-RateLimit-Limit',
    meaning: 'Requests a day of your plan; 0 without a valid key.',
    type: 'integer',
    example: 50,
  },
  rateLimitRemaining: {
    name: 'X-RateLimit-Remaining',
    meaning: 'Requests left today, after this one; 0 without a valid key.',
    type: 'integer',
    example: 38,
  },
  rateLimitReset: {
    name: 'X-RateLimit-Reset',
    meaning: 'When the limit resets, as a Unix timestamp in seconds: the next 00:00 UTC.',
    type: 'integer',
    example: 1_772_409_600,
  },
  etag: {
    name: 'ETag',
    meaning: 'Changes when, and only when, the answer can. Send it back as `If-None-Match`.',
  },
  link: {
    name: 'Link',
    meaning:
      'The addresses of the pages `first`, `prev`, `next` and `last`. Without `next`, this is the last one.',
  },
  unknownSpecKeys: {
    name: 'X-Unknown-Spec-Keys',
    meaning:
      'The spec keys of filters and facets that no watch has, and what may have been meant: `dail_color; did_you_mean=dial_color`. Only sent where there are any.',
  },
  changeCursor: {
    name: 'X-Change-Cursor',
    meaning: 'How far the change log had come: go on from there with `/changes?since=`.',
  },
  location: { name: 'Location', meaning: 'With 201: the address of what was made.' },
  idempotentReplayed: {
    name: 'Idempotent-Replayed',
    meaning: '`true` where the answer is that of an earlier request with the same `Idempotency-Key`.',
  },
  wwwAuthenticate: { name: 'WWW-Authenticate', meaning: 'With 401: `Bearer`, the scheme a key is sent by.' },
  allow: { name: 'Allow', meaning: 'With 405: the methods that the path has.' },
  retryAfter: {
    name: 'Retry-After',
    meaning: 'With 429 and 503: seconds to wait before the next attempt, at least 1.',
    type: 'integer',
    example: 43_200,
  },
} as const satisfies Record<string, HeaderRow>

export const requestHeaders = {
  ifNoneMatch: {
    name: 'If-None-Match',
    meaning:
      'The `ETag` of an answer that you hold. If it is still good, you are answered 304 without a body, at no cost.',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    meaning: `With POST: a key of your own, 1 to ${keyMaxLength} visible ASCII characters, for this one request. Sent again with the same key within ${keptHours} hours, it is not done again but answered as it was; with another request the key is refused with 422. What failed is not remembered.`,
  },
  requestId: {
    name: 'X-Request-Id',
    meaning: 'An id of your own: up to 128 letters, digits, dots, colons, dashes and underscores.',
  },
} as const satisfies Record<string, HeaderRow>

export type AnswerHeader = keyof typeof answerHeaders

/** Of every answer under /api/v1. */
export const quotaHeaders = [
  'rateLimitLimit',
  'rateLimitRemaining',
  'rateLimitReset',
] as const satisfies AnswerHeader[]
