// The tables of response and request headers that matter to a caller. The document and the docs page show them.

import { digitsMax, reachMaxMs } from '../../api/min-sequence.ts'
import { limits } from '../../connection/limits.ts'
import { keptHours, keyMaxLength } from '../../operations/idempotency.ts'

export interface HeaderRow {
  readonly name: string
  readonly meaning: string
  /** Defaults to `string`. */
  readonly type?: 'integer' | 'string'
  /** The values of a request header that are accepted. */
  readonly pattern?: string
  readonly example?: number | string
}

export const answerHeaders = {
  requestId: {
    name: 'X-Request-Id',
    meaning: 'The id of this request: your own if you sent one. Server errors are logged with it.',
  },
  catalogueSequence: {
    name: 'X-Catalogue-Sequence',
    meaning:
      'The response has all changes of the catalogue up to this one, as numbered by `sequence` in `/changes` and webhooks. Not sent while the service starts, or where the HTTP request could not be read.',
    type: 'integer',
    example: 48_213,
  },
  rateLimitLimit: {
    name: 'X-RateLimit-Limit',
    meaning: 'Requests per day that your plan allows; 0 without a valid key.',
    type: 'integer',
    example: 50,
  },
  rateLimitRemaining: {
    name: 'X-RateLimit-Remaining',
    meaning: 'Requests left today, after this one; 0 with every 429 and without a valid key.',
    type: 'integer',
    example: 38,
  },
  rateLimitReset: {
    name: 'X-RateLimit-Reset',
    meaning:
      'When requests pass again, as a Unix timestamp in seconds: the next 00:00 UTC, or one second later with the 429 of a limit per second.',
    type: 'integer',
    example: 1_772_409_600,
  },
  etag: {
    name: 'ETag',
    meaning: 'Changes when, and only when, the response may have changed. Send it back as `If-None-Match`.',
  },
  link: {
    name: 'Link',
    meaning:
      'The URLs of the pages `first`, `prev`, `next` and `last`. Without `next`, this is the last page. In a list by id, `next` has `after`, so that no watch is missed while the catalogue changes.',
  },
  unknownParameters: {
    name: 'X-Unknown-Parameters',
    meaning:
      'The query parameters that the endpoint does not know and has ignored, each with the one that may be meant: `limit; did_you_mean=per_page`. Only sent where there are any; with `strict=1` they are refused with 422.',
  },
  unknownSpecKeys: {
    name: 'X-Unknown-Spec-Keys',
    meaning:
      'The spec keys in filters and facets that no watch has, with a suggestion: `dail_color; did_you_mean=dial_color`. Only sent where there are any.',
  },
  unknownWords: {
    name: 'X-Unknown-Words',
    meaning:
      'The words of `q` that no watch has, each with the word that it was read as, or that may be meant: `submarner; did_you_mean=submariner`. Only sent where there are any.',
  },
  didYouMean: {
    name: 'X-Did-You-Mean',
    meaning:
      'The filters to send instead where a value is a list, such as `Black,Blue`, and no watch has it as it is: `spec[dial_color][]=Black&spec[dial_color][]=Blue`.',
  },
  testMode: {
    name: 'X-Test-Mode',
    meaning: '`true` in every response to a test key, which reads the sample catalogue.',
  },
  changeCursor: {
    name: 'X-Change-Cursor',
    meaning:
      'The position in the change log at the start of the export: continue from there with `/changes?since=`.',
  },
  location: { name: 'Location', meaning: 'With 201: the URL of the created resource.' },
  idempotentReplayed: {
    name: 'Idempotent-Replayed',
    meaning:
      '`true` where the response is the stored one of an earlier request with the same `Idempotency-Key`.',
  },
  wwwAuthenticate: {
    name: 'WWW-Authenticate',
    meaning: 'With 401: `Bearer`, the authentication scheme of API keys.',
  },
  allow: { name: 'Allow', meaning: 'With 405: the methods that the path supports.' },
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
      'The `ETag` of a response that you have stored. If it is still current, you get 304 without a body, which costs no quota.',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    meaning: `With POST: a key of your own, 1 to ${keyMaxLength} visible ASCII characters, for this one request. A retry with the same key within ${keptHours} hours is not executed again and gets the original response; a different request with the same key is refused with 422. Failed requests are not stored.`,
    pattern: `^[!-~]{1,${keyMaxLength}}$`,
  },
  requestId: {
    name: 'X-Request-Id',
    meaning: 'An id of your own: up to 128 letters, digits, dots, colons, dashes and underscores.',
    pattern: `^[A-Za-z0-9._:-]{1,${limits.requestIdLength}}$`,
  },
  minSequence: {
    name: 'X-Min-Sequence',
    meaning: `The \`sequence\` of a change that the response must have: from a webhook, from \`/changes\`, or the \`X-Catalogue-Sequence\` of an earlier response. If the process that serves you does not have it yet, it waits for up to ${reachMaxMs / 1_000} seconds; then you get 503 with \`Retry-After\`, which costs no quota.`,
    // Not an integer: some generators take header parameters only as text.
    pattern: `^[0-9]{1,${digitsMax}}$`,
    example: '48213',
  },
} as const satisfies Record<string, HeaderRow>

export type AnswerHeader = keyof typeof answerHeaders

/** Headers of every response under /api/v1. */
export const quotaHeaders = [
  'rateLimitLimit',
  'rateLimitRemaining',
  'rateLimitReset',
] as const satisfies AnswerHeader[]
