// In charge of what the app asks of the service: one function for every request, and one kind of refusal.
import { forgetKey } from '../scripts/kept-key.ts'

/** What the service said instead of what was asked for, in words for the person who asked. */
export class Refusal extends Error {
  readonly status: number
  /** For each field what is wrong with it. */
  readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(status: number, message: string, errors: Refusal['errors'] = {}) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const answerMaxMs = 20_000
const unauthenticated = 401

/** Answers the body as it is; undefined where there is none. Throws a Refusal for everything that is no success. */
export async function ask<T>(method: Method, path: string, body?: object): Promise<T> {
  const answer = await reach(method, path, body)
  const text = await answer.text()
  const said = parse(text)
  if (answer.ok) return said as T
  if (answer.status === unauthenticated && !path.startsWith('/api/auth/')) signInAgain()
  throw refusalOf(answer, said)
}

/** For answers of the form `{"data": …}`. */
export async function askData<T>(method: Method, path: string, body?: object): Promise<T> {
  return (await ask<{ data: T }>(method, path, body)).data
}

async function reach(method: Method, path: string, body: object | undefined): Promise<Response> {
  const sent =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    return await fetch(path, { method, ...sent, signal: AbortSignal.timeout(answerMaxMs) })
  } catch {
    throw new Refusal(0, 'The service could not be reached. Check your connection and try again.')
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf({ status, headers }: Response, said: unknown): Refusal {
  const { message, errors } = (said ?? {}) as { message?: string; errors?: Refusal['errors'] }
  const wait = headers.get('retry-after')
  if (status === 429 && wait !== null) {
    return new Refusal(status, `Too many attempts. Try again in ${spanOf(Number(wait))}.`)
  }
  if (status >= 500) {
    const id = headers.get('x-request-id')
    return new Refusal(
      status,
      `The service failed. Try again; if it goes on, tell the operator${id === null ? '' : ` the request id ${id}`}.`,
    )
  }
  return new Refusal(status, message ?? 'The service did not understand the request.', errors)
}

function spanOf(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The session has ended, elsewhere or by time: back to here after signing in. */
function signInAgain(): void {
  forgetKey()
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
}
