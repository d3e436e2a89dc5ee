// In charge of how an operation of the API is described: the shape of a line of the tables, and the words that many lines
// have in common. An answer is named by its schema only, so that whoever reads the tables need not load the schemas.
import { type ListParameter, listParameters } from '../../../search/query/operators.ts'
import type { AnswerName, BodyName } from '../schemas.ts'
import type { AnswerHeader } from './response-headers.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Operation {
  readonly id: string
  readonly tag: 'Watches' | 'Brands' | 'Specs' | 'Sync' | 'Webhooks' | 'Account'
  /** `GET` unless it says otherwise. */
  readonly method?: Method
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** What a request that is done is answered with; 200 unless it says otherwise. */
  readonly status?: DoneStatus
  /** What it brings. */
  readonly found: string
  readonly pathParameters: readonly PathParameter[]
  /** `watches` for all that a list of watches takes: filters, search, sort, facets and the rest. */
  readonly query: 'watches' | readonly ListParameter[]
  /** The fields that are sent, as JSON. */
  readonly body?: BodyName
  /** What it may carry; the first is the usual one. None without a body. */
  readonly answers: readonly AnswerName[]
  /** `application/json` unless it says otherwise. */
  readonly mediaType?: 'application/x-ndjson'
  /** Of what is done, besides those that every answer has. */
  readonly headers: readonly AnswerHeader[]
  /** What can go wrong beyond what can go wrong everywhere. */
  readonly problems: readonly ('not_found' | 'invalid')[]
  readonly examples: readonly Example[]
}

type DoneStatus = 200 | 201 | 202 | 204

export interface PathParameter {
  readonly name: string
  readonly type: 'integer' | 'string'
  readonly meaning: string
  readonly example: string
}

/** A request of the sample catalogue; its answer is in examples.json. */
export interface Example {
  readonly name: string
  readonly summary: string
  /** Below /api/v1, as it is sent. */
  readonly request: string
  /** What is sent with it. */
  readonly body?: object
  readonly status: DoneStatus | 404 | 422 | 429
  /** None without a body. */
  readonly answer?: AnswerName
  /** Of its answer, those that are worth showing. */
  readonly headers?: readonly AnswerHeader[]
}

export function methodOf({ method = 'GET' }: Pick<Operation, 'method'>): Method {
  return method
}

export function statusOf({ status = 200 }: Pick<Operation, 'status'>): DoneStatus {
  return status
}

export function example(
  name: string,
  summary: string,
  rest: Pick<Example, 'request' | 'answer' | 'headers' | 'body'> & Partial<Pick<Example, 'status'>>,
): Example {
  return { name, summary, status: 200, ...rest }
}

export function notFound(request: string): Example {
  return { name: 'not_found', summary: 'What does not exist', request, status: 404, answer: 'Problem' }
}

export function invalid(request: string, body?: object): Example {
  return {
    name: 'invalid',
    summary: 'What is not valid, all at once',
    request,
    ...(body !== undefined && { body }),
    status: 422,
    answer: 'InvalidProblem',
  }
}

/** The paging of the list of watches, said of other things. */
export function pagingOf(things: string): readonly ListParameter[] {
  return listParameters
    .filter(({ name }) => name === 'page' || name === 'per_page')
    .map((row) => ({ ...row, meaning: row.meaning.replace('watches', things) }))
}

export function maxOf(name: string): number {
  return listParameters.find((row) => row.name === name)?.max ?? Number.POSITIVE_INFINITY
}
