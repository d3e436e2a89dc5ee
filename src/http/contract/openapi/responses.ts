// Describes the responses of each operation for the OpenAPI document: the successful one, and every problem.
import { type ProblemCode, type ProblemKind, problems } from '../../../errors.ts'
import { type ExampleAnswers, exampleKey } from '../examples/examples.ts'
import type { Example, Operation } from '../operations/operation.ts'
import { isConditional, problemsOf } from '../operations/operation-rules.ts'
import { operations } from '../operations/operations.ts'
import { type AnswerHeader, answerHeaders, quotaHeaders } from '../operations/response-headers.ts'
import type { AnswerName } from '../schemas.ts'

interface SharedProblem {
  readonly name: string
  readonly headers: readonly AnswerHeader[]
  /** Otherwise an operation with examples of its own shows those. */
  readonly isAlwaysShared: boolean
}

/** Problems that are the same for every operation, with their headers. */
const sharedProblems = new Map<ProblemCode, SharedProblem>([
  ['unauthenticated', { name: 'Unauthenticated', headers: ['wwwAuthenticate'], isAlwaysShared: true }],
  ['plan_excludes', { name: 'PlanExcludes', headers: [], isAlwaysShared: true }],
  ['invalid', { name: 'Invalid', headers: [], isAlwaysShared: false }],
  ['too_many_requests', { name: 'TooManyRequests', headers: ['retryAfter'], isAlwaysShared: true }],
])

/** One schema, not two as alternatives: generators would make every field of a watch optional. */
const aboutFields =
  'With `fields`, each watch has only those, as `PickedWatchList` describes: give the result that type.'

export function describeResponses(operation: Operation, answers: ExampleAnswers): object {
  const { headers, found, mediaType, query, status: done } = operation
  const [answer] = operation.answers
  const hasEtag = isConditional(operation)
  const ofStatus = (wanted: number) => shownBy([operation]).filter(({ status }) => status === wanted)
  const usual = ofStatus(done).filter((example) => example.answer === answer)
  const refused = problemsOf(operation).map((code) => {
    const { status } = problems[code]
    const shared = sharedProblems.get(code)
    const own = ofStatus(status)
    if (shared !== undefined && (own.length === 0 || shared.isAlwaysShared)) {
      return [status, refer('responses', shared.name)]
    }
    return [status, describeProblem(code, [], own, answers)]
  })
  return {
    [done]: {
      description: query === 'watches' ? `${found} ${aboutFields}` : found,
      headers: headerRefs(['unknownParameters', ...(hasEtag ? (['etag'] as const) : []), ...headers]),
      ...(answer !== undefined && { content: contentOf(answer, showExamples(usual, answers), mediaType) }),
    },
    ...(hasEtag && { 304: refer('responses', 'NotModified') }),
    ...Object.fromEntries(refused),
    default: refer('responses', 'Other'),
  }
}

export function sharedResponses(answers: ExampleAnswers): Record<string, object> {
  const examples = shownBy(operations)
  const refused = [...sharedProblems].map(([code, { name, headers }]) => {
    const shown = code === 'invalid' ? [] : examples.filter(({ status }) => status === problems[code].status)
    return [name, describeProblem(code, headers, shown, answers)]
  })
  return {
    NotModified: {
      description:
        'The response that you named in `If-None-Match` is still current. There is no body. Costs no quota.',
      headers: headerRefs(['etag']),
    },
    ...Object.fromEntries(refused),
    Other: {
      description:
        'Any other error, of the HTTP request itself (400, 408, 413, 414, 415, 417, 431) or of the service (500, 503).',
      headers: headerRefs(['retryAfter']),
      content: contentOf('Problem', {}),
    },
  }
}

function describeProblem(
  code: ProblemCode,
  headers: readonly AnswerHeader[],
  examples: readonly Shown[],
  answers: ExampleAnswers,
): object {
  const { when, message }: ProblemKind = problems[code]
  const plain =
    code === 'invalid' ? { message, errors: { page: ['The page must be an integer.'] } } : { message }
  const shown = examples.length > 0 ? showExamples(examples, answers) : { example: plain }
  return {
    description: when,
    headers: headerRefs(headers),
    content: contentOf(code === 'invalid' ? 'InvalidProblem' : 'Problem', shown),
  }
}

export const jsonType = 'application/json'

/** An example and its operation. */
interface Shown extends Example {
  readonly operation: Operation
}

function shownBy(those: readonly Operation[]): Shown[] {
  return those.flatMap((operation) => operation.examples.map((example) => ({ ...example, operation })))
}

function contentOf(name: AnswerName, shown: object, mediaType: string = jsonType): object {
  return { [mediaType]: { schema: refer('schemas', name), ...shown } }
}

function showExamples(examples: readonly Shown[], answers: ExampleAnswers): object {
  if (examples.length === 0) return {}
  const rows = examples.map(({ operation, ...example }) => {
    const { name, summary, request } = example
    const value = answers[exampleKey(operation, example)]?.body
    return [name, { summary, description: `\`${operation.method} ${request}\``, value }]
  })
  return { examples: Object.fromEntries(rows) }
}

/** References to these headers and to those of every response. */
function headerRefs(headers: readonly AnswerHeader[]): object {
  const names = [...everyAnswerHeaders, ...headers].map((header) => answerHeaders[header].name)
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]))
}

const everyAnswerHeaders = ['requestId', 'catalogueSequence', 'testMode', ...quotaHeaders] as const

export function refer(
  kind: 'headers' | 'parameters' | 'responses' | 'schemas',
  name: string,
): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

/** The schemas, with the examples of lists whose watches have only some fields. */
export function withPickedExamples(
  schemas: Record<string, object>,
  answers: ExampleAnswers,
): Record<string, object> {
  const name: AnswerName = 'PickedWatchList'
  const picked = shownBy(operations).filter(({ answer }) => answer === name)
  const examples = picked.map(({ operation, ...example }) => answers[exampleKey(operation, example)]?.body)
  return { ...schemas, [name]: { ...schemas[name], examples } }
}
