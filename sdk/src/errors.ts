// The errors of the client: one class for each thing that a caller may want to tell apart. A message is enough for a log.

export interface ErrorDetails {
  readonly status?: number
  readonly headers?: Headers
  readonly body?: unknown
  readonly cause?: unknown
}

/** The base of all errors of this client. */
export class WatchdataError extends Error {
  override readonly name: string = 'WatchdataError'
  /** The HTTP status; undefined where there was no response. */
  readonly status: number | undefined
  /** The id under which the service knows the request. */
  readonly requestId: string | undefined
  readonly headers: Headers | undefined
  /** The body of the response: parsed JSON, or its text. */
  readonly body: unknown

  constructor(message: string, { status, headers, body, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.requestId = headers?.get('x-request-id') ?? undefined
    this.headers = headers
    this.body = body
  }
}

/** 401: the API key is missing, unknown, expired or revoked. */
export class AuthenticationError extends WatchdataError {
  override readonly name = 'AuthenticationError'
}

/** 403: the plan does not include the resource or the action. */
export class PlanError extends WatchdataError {
  override readonly name = 'PlanError'
}

/** 404: there is no such watch, brand, key or webhook. */
export class NotFoundError extends WatchdataError {
  override readonly name = 'NotFoundError'
}

/** 422: parameters or fields are invalid. `errors` has the texts of each; the message has them all. */
export class ValidationError extends WatchdataError {
  override readonly name = 'ValidationError'
  readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(message: string, details: ErrorDetails) {
    super(message, details)
    this.errors = fieldErrors(details.body) ?? {}
  }
}

/** 410, or 422 of a cursor: changes cannot be read from there any more. Start again with an export. */
export class CursorExpiredError extends WatchdataError {
  override readonly name = 'CursorExpiredError'
}

/** 429: too many requests in a short time, even after the retries. */
export class RateLimitError extends WatchdataError {
  override readonly name: string = 'RateLimitError'
  /** How long the service asks to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message, details)
    this.retryAfterSeconds = details.headers && retryAfterSeconds(details.headers)
  }
}

/** 429: the requests of the day are used up. It is never retried: `resetAt` may be hours away. */
export class QuotaExceededError extends RateLimitError {
  override readonly name = 'QuotaExceededError'
  /** When the quota resets. */
  readonly resetAt: Date

  constructor(message: string, details: ErrorDetails, resetAt: Date) {
    super(`${message} The quota resets at ${resetAt.toISOString()}.`, details)
    this.resetAt = resetAt
  }
}

/** 5xx: the service failed or is not ready, even after the retries. */
export class ServiceUnavailableError extends WatchdataError {
  override readonly name = 'ServiceUnavailableError'
}

/** No response, or not the whole of it: the network failed or the time was up. `cause` has the reason. */
export class ConnectionError extends WatchdataError {
  override readonly name = 'ConnectionError'
}

/** The seconds of `Retry-After`, which a proxy may send as a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const written = headers.get('retry-after')
  if (written === null) return undefined
  const seconds = Number(written)
  if (!Number.isNaN(seconds)) return Math.max(seconds, 0)
  const atMs = Date.parse(written)
  return Number.isNaN(atMs) ? undefined : Math.max((atMs - Date.now()) / 1_000, 0)
}

/** The field texts of a 422, if the body has any. */
export function fieldErrors(body: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  const errors = (body as { errors?: unknown } | undefined)?.errors
  if (typeof errors !== 'object' || errors === null) return undefined
  return errors as Record<string, readonly string[]>
}
