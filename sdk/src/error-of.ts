// Turns a response that is not a success into the error to throw.
import {
  AuthenticationError,
  CursorExpiredError,
  type ErrorDetails,
  fieldErrors,
  NotFoundError,
  PlanError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  ValidationError,
  WatchdataError,
} from './errors.ts'

const daySeconds = 86_400
/** A body that is not ours, such as the page of a proxy, is cut in a message. */
const shownMax = 200

/** `asked` names the request in the message, such as `GET /watches`. */
export function errorOf(response: Response, text: string, asked: string): WatchdataError {
  const { status, headers } = response
  const body = parsed(text)
  const message = `${asked}: ${status} ${messageOf(body) ?? text.slice(0, shownMax)}`.trim()
  const details = { status, headers, body }
  const resetAt = status === 429 ? dayEnd(headers) : undefined
  if (resetAt !== undefined) return new QuotaExceededError(message, details, resetAt)
  if (isCursorRefused(status, body)) {
    return new CursorExpiredError(`${message} Start again with an export.`, details)
  }
  const ErrorClass = classes[status] ?? (status >= 500 ? ServiceUnavailableError : WatchdataError)
  return new ErrorClass(message, details)
}

const classes: Readonly<Record<number, new (message: string, details: ErrorDetails) => WatchdataError>> = {
  401: AuthenticationError,
  403: PlanError,
  404: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
}

/** A limit per second resets in a second; a spent day at midnight UTC. Undefined where it is not a day. */
function dayEnd(headers: Headers): Date | undefined {
  const reset = Number(headers.get('x-ratelimit-reset'))
  return reset > 0 && reset % daySeconds === 0 ? new Date(reset * 1_000) : undefined
}

/** A cursor that is none is the caller's mistake; one that the service refuses can never be read from again. */
function isCursorRefused(status: number, body: unknown): boolean {
  if (status === 410) return true
  const { since, ...others } = fieldErrors(body) ?? {}
  if (status !== 422 || since === undefined || Object.keys(others).length > 0) return false
  return !since.some((text) => / (must be|is required)/.test(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function messageOf(body: unknown): string | undefined {
  const message = (body as { message?: unknown } | null)?.message
  if (typeof message !== 'string') return undefined
  return [message, ...Object.values(fieldErrors(body) ?? {}).flat()].join(' ')
}
