// Sends a request with a key and reads the quota from the response headers.
import { type Answer, pickHeaders, sendCall } from '../../scripts/send-call.ts'
import { Refusal } from '../ask.ts'

export interface Outcome extends Pick<Answer, 'status' | 'statusText' | 'tookMs' | 'body'> {
  /** The headers worth showing, with their raw values. */
  readonly headers: readonly (readonly [string, string])[]
  readonly remaining: number
  /** When the quota resets; null when the response does not say. */
  readonly resetAt: string | null
}

const shownHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']

export async function runCall(path: string, key: string): Promise<Outcome> {
  const { headers, ...answer } = await sendCall(path, key).catch((error: Error) => {
    throw new Refusal(0, error.message)
  })
  const reset = Number(headers.get('x-ratelimit-reset'))
  return {
    ...answer,
    headers: pickHeaders(headers, shownHeaders),
    remaining: Number(headers.get('x-ratelimit-remaining')),
    resetAt: reset > 0 ? new Date(reset * 1_000).toISOString() : null,
  }
}

/** Whether the response is an empty list. */
export function isEmptyList({ status, body }: Outcome): boolean {
  if (status !== 200) return false
  try {
    const { data } = JSON.parse(body) as { data?: unknown }
    return Array.isArray(data) && data.length === 0
  } catch {
    return false
  }
}
