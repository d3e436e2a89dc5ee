// In charge of the call that the app runs with a key, and of what its answer tells of the quota.
import { type Answer, pickHeaders, sendCall } from '../../scripts/send-call.ts'
import { Refusal } from '../ask.ts'

export interface Outcome extends Pick<Answer, 'status' | 'statusText' | 'tookMs' | 'body'> {
  /** The headers worth showing, as they came. */
  readonly headers: readonly (readonly [string, string])[]
  readonly remaining: number
  /** When the day of the quota ends; null where it was not told. */
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

/** Whether it is a list, and nothing is on it. */
export function isEmptyList({ status, body }: Outcome): boolean {
  if (status !== 200) return false
  try {
    const { data } = JSON.parse(body) as { data?: unknown }
    return Array.isArray(data) && data.length === 0
  } catch {
    return false
  }
}
