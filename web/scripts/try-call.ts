// In charge of what came of a call from the docs, in words: the status, and what to do where it failed.
import { indentedJson } from './json-tokens.ts'
import { pickHeaders, sendCall } from './send-call.ts'

export interface Outcome {
  /** 0 where there was no answer. */
  readonly status: number
  /** One or two sentences: the status, the time, and what to do where it failed. */
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
  'X-Change-Cursor',
  'X-Request-Id',
]
const advice: Readonly<Record<number, string>> = {
  401: 'Give a key that is valid: “Fill in a key” makes one where you are signed in, and so does the dashboard.',
  403: 'The plan of this key does not include it: the page on quotas and plans tells which do.',
  404: 'Change what stands in the path: there is nothing under it.',
  422: 'Mend the parameters that the answer names.',
  429: 'Wait as long as Retry-After says, in seconds.',
  503: 'Wait a moment, and send it again.',
}

/** `path` is below /api/v1. */
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
