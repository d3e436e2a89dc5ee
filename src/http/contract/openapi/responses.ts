// Describes the responses of each operation for the OpenAPI document: the successful one, and every problem.
import { type ProblemCode, type ProblemKind, problems } from '../../../errors.ts'
import { type ExampleAnswers, exampleKey } from '../examples/examples.ts'
import type { Example, Operation } from '../operations/operation.ts'
import { isConditional, problemsOf } from '../operations/operation-rules.ts'
import { operations } from '../operations/operations.ts'
import { type AnswerHeader, answerHeaders, quotaHeaders } from '../operations/response-headers.ts'
import type { AnswerName } from '../schemas.ts'

/** Problems that are the same for every operation, with their headers. */
const sharedProblems = new Map<ProblemCode, { name: string; headers: readonly AnswerHeader[] }>([
  ['unauthenticated', { name: 'Unauthenticated', headers: ['wwwAuthenticate'] }],
  ['plan_excludes', { name: 'PlanExcludes', headers: [] }],
  ['too_many_requests', { name: 'TooManyRequests', headers: ['retryAfter'] }],
])

export function describeResponses(operation: Operation, answers: ExampleAnswers): object {
  const { headers, found, mediaType, status: done } = operation
  const hasEtag = isConditional(operation)
  const ofStatus = (wanted: number) => shownBy([operation]).filter(({ status }) => status === wanted)
  const refused = problemsOf(operation).map((code) => {
    const { status } = problems[code]
    const shared = sharedProblems.get(code)
    if (shared !== undefined) return [status, refer('responses', shared.name)]
    return [status, describeProblem(code, [], ofStatus(status), answers)]
  })
  return {
    [done]: {
      description: found,
      headers: headerRefs(hasEtag ? ['etag', ...headers] : headers),
      ...(operation.answers.length > 0 && {
        content: contentOf(operation.answers, showExamples(ofStatus(done), answers), mediaType),
      }),
    },
    ...(hasEtag && { 304: refer('responses', 'NotModified') }),
    ...Object.fromEntries(refused),
    default: refer('responses', 'Other'),
  }
}

export function sharedResponses(answers: ExampleAnswers): Record<string, object> {
  const examples = shownBy(operations)
  const refused = [...sharedProblems].map(([code, { name, headers }]) => {
    const shown = examples.filter(({ status }) => status === problems[code].status)
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
      content: contentOf(['Problem'], {}),
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
  const shown = examples.length > 0 ? showExamples(examples, answers) : { example: { message } }
  return {
    description: when,
    headers: headerRefs(headers),
    content: contentOf([code === 'invalid' ? 'InvalidProblem' : 'Problem'], shown),
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

function contentOf(names: readonly AnswerName[], shown: object, mediaType: string = jsonType): object {
  const refs = names.map((name) => refer('schemas', name))
  return { [mediaType]: { schema: refs.length === 1 ? refs[0] : { anyOf: refs }, ...shown } }
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

const everyAnswerHeaders = ['requestId', 'catalogueSequence', ...quotaHeaders] as const

export function refer(
  kind: 'headers' | 'parameters' | 'responses' | 'schemas',
  name: string,
): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}
