// The table of errors: every error body that the API ever sends has its entry here.
// The texts of 401, 403, 404, 422 and 429 are those of the interface document, word for word.

export interface ProblemKind {
  readonly status: number
  readonly message: string
  /** When a caller gets this error; shown on the docs page. */
  readonly when: string
}

export const problems = {
  bad_request: {
    status: 400,
    message: 'The request could not be understood.',
    when: 'The HTTP itself is malformed: a broken request line, header, percent-encoding or JSON body.',
  },
  unauthenticated: {
    status: 401,
    message: 'Unauthenticated.',
    when: 'The API key is missing, malformed, unknown, expired or revoked. Costs no quota.',
  },
  plan_excludes: {
    status: 403,
    message: 'Your plan does not include access to this resource.',
    when: 'The key is valid, but the plan does not include the resource or action. This is checked before the resource is looked up. Also sent when you create more webhooks than the plan includes; `errors` then contains both numbers.',
  },
  not_found: {
    status: 404,
    message: 'Resource not found.',
    when: 'The path, or the watch, brand or webhook it names, does not exist.',
  },
  method_not_allowed: {
    status: 405,
    message: 'The method is not allowed for this resource.',
    when: 'The path does not support this method; `Allow` lists the methods that it supports.',
  },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive.',
    when: 'The headers or the body were not received in time.',
  },
  log_too_short: {
    status: 410,
    message:
      'The change log no longer goes back that far. Please export the catalogue anew and continue from its cursor.',
    when: 'The `since` of `GET /changes` is older than the changes that are kept (`CHANGE_RETENTION_DAYS`).',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is too large.',
    when: 'The body exceeds the limit.',
  },
  uri_too_long: {
    status: 414,
    message: 'The request address is too long.',
    when: 'Path and query together exceed the limit.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The request body must be JSON, with the header Content-Type: application/json.',
    when: 'The `Content-Type` of a body is not `application/json`, or the body is compressed. An empty body needs none.',
  },
  expectation_failed: {
    status: 417,
    message: 'The expectation in the Expect header cannot be met.',
    when: 'An `Expect` header asks for anything but `100-continue`.',
  },
  invalid: {
    status: 422,
    message: 'The given data was invalid.',
    when: 'Body or query parameters fail validation; `errors` maps each field to its messages.',
  },
  too_many_requests: {
    status: 429,
    message: 'Too many requests. Please retry after the period indicated in the Retry-After header.',
    when: 'The daily quota is used up, or the account exceeded the burst limit. `Retry-After` says how long to wait. Costs no quota.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large.',
    when: 'The headers exceed the limit in size or number.',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. The request id helps us find it.',
    when: 'An error in the service. The details are in its log under the request ID.',
  },
  unavailable: {
    status: 503,
    message: 'The service is not ready. Please retry after the period indicated in the Retry-After header.',
    when: 'The service is starting or stopping, or its database or Redis cannot be reached; or it does not have the change yet that `X-Min-Sequence` asks for, which costs no quota. `Retry-After` says how long to wait.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export interface ProblemDetails {
  readonly errors?: FieldErrors
  readonly headers?: Readonly<Record<string, string>>
}

/** An error caused by the caller, or a known inability of the service, as an entry of the table. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(problems[code].message)
    this.code = code
    this.details = details
  }
}

/** The problem of a single field. */
export function invalid(field: string, text: string): Problem {
  return new Problem('invalid', { errors: { [field]: [text] } })
}

/** The JSON body of a problem: `message`, and for a 422 the `errors` of each field. */
export function problemBody(code: ProblemCode, errors?: FieldErrors): string {
  return JSON.stringify({ message: problems[code].message, errors })
}

/** Why a command cannot continue: one plain sentence for the operator that names what to change. */
export class Failure extends Error {}
