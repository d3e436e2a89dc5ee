// Sends the app's requests to the service: one function for all requests, and one error class.
import { deleteKey } from '../scripts/stored-key.ts'

/** A request that failed, with a message for the user. Status 0 means that the service could not be reached. */
export class Refusal extends Error {
  readonly status: number
  /** Validation errors by field. */
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

/** Returns the parsed body; undefined when it is empty. Throws a Refusal for every response that is not a success. */
export async function ask<T>(method: Method, path: string, body?: object): Promise<T> {
  const answer = await reach(method, path, body)
  const text = await answer.text()
  const said = parse(text)
  if (answer.ok) return said as T
  if (answer.status === unauthenticated && !path.startsWith('/api/auth/')) signInAgain()
  throw refusalOf(answer, said)
}

/** For responses of the form `{"data": …}`. */
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
      `Something went wrong. Try again. If it keeps happening, ${id === null ? 'contact the operator' : `send the operator the request ID ${id}`}.`,
    )
  }
  return new Refusal(status, message ?? 'The service rejected the request.', errors)
}

function spanOf(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** The session was ended or has expired: the user comes back to this page after signing in. */
function signInAgain(): void {
  deleteKey()
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
}
