// The types of the operation tables, and helpers for texts that many entries share. A response is referenced by the
// name of its schema, so that reading the tables does not load the schemas.
import { type ListParameter, listParameters } from '../../../search/query/operators.ts'
import type { AnswerName, BodyName } from '../schemas.ts'
import type { AnswerHeader } from './response-headers.ts'

export interface Operation {
  readonly id: string
  readonly tag: 'Watches' | 'Brands' | 'Specs' | 'Search' | 'Sync' | 'Webhooks' | 'Account'
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below /api/v1, with `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The status of success. */
  readonly status: DoneStatus
  /** Description of the successful response. */
  readonly found: string
  readonly pathParameters: readonly PathParameter[]
  /** `watches` stands for all parameters of a list of watches: filters, search, sort, facets and the rest. */
  readonly query: 'watches' | readonly ListParameter[]
  /** The schema of the JSON request body. */
  readonly body?: BodyName
  /** The schema of the response body. Never two: generators merge alternatives into optional fields. */
  readonly answers: readonly AnswerName[]
  /** Defaults to `application/json`. */
  readonly mediaType?: 'application/x-ndjson'
  /** Headers of the successful response, besides those of every response. */
  readonly headers: readonly AnswerHeader[]
  /** Problems of this operation, besides those that any operation can have. */
  readonly problems: readonly ('not_found' | 'log_too_short' | 'plan_excludes')[]
  readonly examples: readonly Example[]
}

type DoneStatus = 200 | 201 | 202 | 204

export interface PathParameter {
  readonly name: string
  readonly type: 'integer' | 'string'
  readonly meaning: string
  readonly example: string
}

/** A request to the sample catalogue. Its response is stored in examples.json. */
export interface Example {
  readonly name: string
  readonly summary: string
  /** Path and query below /api/v1, as sent. */
  readonly request: string
  /** The request body. */
  readonly body?: object
  readonly status: DoneStatus | 404 | 422 | 429
  /** The schema of the response; undefined without a body. */
  readonly answer: AnswerName | undefined
  /** The response headers that are worth showing. */
  readonly headers?: readonly AnswerHeader[]
}

/** What an entry of the tables may leave out. */
const defaults = {
  method: 'GET',
  status: 200,
  pathParameters: [],
  query: [],
  headers: [],
  problems: [],
} as const satisfies Partial<Operation>

type Defaulted<Row, Name extends keyof Row> = Omit<Row, Name> & Partial<Pick<Row, Name>>

/** An example without status and response is one of success, with the usual response. */
type ExampleRow = Defaulted<Example, 'status' | 'answer'>

/** An entry of the tables. */
export interface OperationRow extends Defaulted<Omit<Operation, 'examples'>, keyof typeof defaults> {
  readonly examples: readonly ExampleRow[]
}

export function toOperation(row: OperationRow): Operation {
  const operation = { ...defaults, ...row }
  const { status } = operation
  const [answer] = row.answers
  return { ...operation, examples: row.examples.map((one) => ({ status, answer, ...one })) }
}

export function example(
  name: string,
  summary: string,
  request: string,
  rest: Pick<ExampleRow, 'answer' | 'headers' | 'body'> = {},
): ExampleRow {
  return { name, summary, request, ...rest }
}

export function notFound(request: string): Example {
  return { name: 'not_found', summary: 'Not found', request, status: 404, answer: 'Problem' }
}

export function invalid(request: string, body?: object): Example {
  return {
    name: 'invalid',
    summary: 'Several invalid values, all reported at once',
    request,
    ...(body !== undefined && { body }),
    status: 422,
    answer: 'InvalidProblem',
  }
}

/** The path parameter for the id of a `thing`. */
export function idParameter(name: string, thing: string, example: string): PathParameter {
  return { name, type: 'integer', meaning: `The id of the ${thing}.`, example }
}

/** The paging parameters of the list of watches, reworded for other resources. */
export function pagingOf(things: string): readonly ListParameter[] {
  return listParameters
    .filter(({ name }) => name === 'page' || name === 'per_page')
    .map((row) => ({ ...row, meaning: row.meaning.replace(/ With `ids`.*/, '').replace('watches', things) }))
}

export function maxOf(name: string): number {
  return listParameters.find((row) => row.name === name)?.max ?? Number.POSITIVE_INFINITY
}
