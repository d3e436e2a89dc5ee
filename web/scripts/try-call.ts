// Sends a request from the docs and describes the result: the status, and what to do if it failed.
import { indentedJson } from './json-tokens.ts'
import { pickHeaders, sendCall } from './send-call.ts'

export interface Outcome {
  /** 0 when there was no response. */
  readonly status: number
  /** One or two sentences: the status, the duration, and what to do if the request failed. */
  readonly said: string
  readonly headers: readonly string[]
  readonly body: string
  readonly isCut: boolean
}

const shownHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Link',
  'X-Unknown-Spec-Keys',
  'X-Unknown-Words',
  'X-Change-Cursor',
  'X-Request-Id',
]
const advice: Readonly<Record<number, string>> = {
  401: 'Enter a valid API key: sign in and use “Fill in a key”, or create one in the dashboard.',
  403: 'The plan of this key does not include this resource. See “Quotas and plans” for the plans that do.',
  404: 'There is nothing at this path. Change the values in the path.',
  422: 'Correct the parameters named in the response.',
  429: 'Wait for the number of seconds in Retry-After, then try again.',
  503: 'Wait a moment, then try again.',
}

/** `path` is relative to /api/v1. */
export async function tryCall(path: string, key: string): Promise<Outcome> {
  try {
    const { status, tookMs, headers, body, isCut } = await sendCall(`/api/v1${path}`, key)
    return {
      status,
      said: [`Status ${status} after ${tookMs} ms.`, advice[status]].filter(Boolean).join(' '),
      headers: pickHeaders(headers, shownHeaders).map((header) => header.join(': ')),
      body: isCut ? `${body}\n…` : indentedJson(body),
      isCut,
    }
  } catch (error) {
    return { status: 0, said: (error as Error).message, headers: [], body: '', isCut: false }
  }
}
