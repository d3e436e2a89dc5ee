// In charge of the OpenAPI document: the tables of operations, parameters, headers and problems, and the schemas,
// put into its form. Loading it loads the schemas, so this is done when the document is first asked for.
import { type ProblemCode, type ProblemKind, problems } from '../../errors.ts'
import { version } from '../../version.ts'
import { type AnswerName, componentSchemas } from '../contract.ts'
import { type AnswerHeader, answerHeaders, type HeaderRow, quotaHeaders } from './answer-headers.ts'
import { type ExampleAnswers, readExampleAnswers } from './examples.ts'
import { problemsOf, ruleOf } from './operation-rules.ts'
import { type Example, type Operation, operations } from './operations.ts'
import {
  headerParameters,
  headerParametersOf,
  toPathParameter,
  toQueryParameter,
  watchParameters,
} from './parameters.ts'
import { quotaRules } from './quota-rules.ts'

export function buildDocument(baseUrl: string): object {
  const answers = readExampleAnswers()
  return {
    openapi: '3.1.1',
    info: {
      title: 'watchdata',
      version,
      summary: 'A catalogue of watches, published as JSON.',
      description,
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    externalDocs: { description: 'The same for people', url: `${baseUrl}/docs` },
    security: [{ key: [] }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: describeOperation(operation, answers) }]),
    ),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as `Authorization: Bearer YOUR_API_KEY`.',
        },
      },
      parameters: Object.fromEntries(
        [...watchParameters(), ...headerParameters()].map((parameter) => [parameter.name, parameter]),
      ),
      headers: Object.fromEntries(
        Object.values(answerHeaders).map(({ name, meaning, type = 'string', example }: HeaderRow) => [
          name,
          { description: meaning, schema: { type }, ...(example !== undefined && { example }) },
        ]),
      ),
      responses: sharedResponses(answers),
      schemas: componentSchemas(),
    },
  }
}

const description = `Every request carries an API key. Answers are JSON; every error has a \`message\`.

Every path answers \`HEAD\` as it does \`GET\`, without the body. A path that exists answers any other method with 405 and \`Allow\`. Within v1 fields, parameters and paths are only added: ignore those you do not know.

The examples are answers of the sample catalogue that the service comes with.

A plan has a quota of requests a day, and decides what may be asked for: what it does not include is answered 403. Every answer tells where the account stands (\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`).

${quotaRules.map((rule) => `- ${rule}`).join('\n')}`

const tags: Record<Operation['tag'], string> = {
  Watches: 'Watches, found by any of their specs.',
  Brands: 'Brands, and the watches of each.',
  Specs: 'The spec dictionary: which keys there are, and which values.',
  Account: 'Your account: its plan, and what it has used.',
}

/** Problems that are the same everywhere, and the headers that they bring. */
const sharedProblems = new Map<ProblemCode, { name: string; headers: readonly AnswerHeader[] }>([
  ['unauthenticated', { name: 'Unauthenticated', headers: ['wwwAuthenticate'] }],
  ['plan_excludes', { name: 'PlanExcludes', headers: [] }],
  ['too_many_requests', { name: 'TooManyRequests', headers: ['retryAfter'] }],
])

function describeOperation(operation: Operation, answers: ExampleAnswers): object {
  const { id, tag, summary, description, pathParameters, query } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...pathParameters.map(toPathParameter),
      ...(query === 'watches'
        ? watchParameters().map(({ name }) => refer('parameters', name))
        : query.map(toQueryParameter)),
      ...headerParametersOf(operation).map(({ name }) => refer('parameters', name)),
    ],
    responses: describeResponses(operation, answers),
  }
}

function describeResponses(operation: Operation, answers: ExampleAnswers): object {
  const { headers } = operation
  const { isConditional } = ruleOf(operation)
  const ofStatus = (wanted: number) => operation.examples.filter(({ status }) => status === wanted)
  const refused = problemsOf(operation).map((code) => {
    const { status } = problems[code]
    const shared = sharedProblems.get(code)
    if (shared !== undefined) return [status, refer('responses', shared.name)]
    return [status, describeProblem(code, [], ofStatus(status), answers)]
  })
  return {
    200: {
      description: operation.found,
      headers: headerRefs(isConditional ? ['etag', ...headers] : headers),
      content: json(operation.answers, ofStatus(200), answers),
    },
    ...(isConditional && { 304: refer('responses', 'NotModified') }),
    ...Object.fromEntries(refused),
    default: refer('responses', 'Other'),
  }
}

function sharedResponses(answers: ExampleAnswers): Record<string, object> {
  const examples = operations.flatMap((operation) => operation.examples)
  const refused = [...sharedProblems].map(([code, { name, headers }]) => {
    const shown = examples.filter(({ status }) => status === problems[code].status)
    return [name, describeProblem(code, headers, shown, answers)]
  })
  return {
    NotModified: {
      description:
        'What you hold, by `If-None-Match`, is still the answer. There is no body. Costs no quota.',
      headers: headerRefs(['etag']),
    },
    ...Object.fromEntries(refused),
    Other: {
      description:
        'Whatever else went wrong, with the HTTP itself (400, 408, 414, 417, 431) or with the service (500, 503).',
      headers: headerRefs(['retryAfter']),
      content: json(['Problem'], [], {}),
    },
  }
}

function describeProblem(
  code: ProblemCode,
  headers: readonly AnswerHeader[],
  examples: readonly Example[],
  answers: ExampleAnswers,
): object {
  const { when, message }: ProblemKind = problems[code]
  const content = json([code === 'invalid' ? 'InvalidProblem' : 'Problem'], examples, answers)
  return {
    description: when,
    headers: headerRefs(headers),
    content: examples.length > 0 ? content : withExample(content, { message }),
  }
}

interface Content {
  readonly 'application/json': object
}

function json(
  names: readonly [AnswerName, ...AnswerName[]],
  examples: readonly Example[],
  answers: ExampleAnswers,
): Content {
  const refs = names.map((name) => refer('schemas', name))
  return {
    'application/json': {
      schema: refs.length === 1 ? refs[0] : { anyOf: refs },
      ...(examples.length > 0 && { examples: Object.fromEntries(examples.map(toExample)) }),
    },
  }

  function toExample({ name, summary, request }: Example): [string, object] {
    return [name, { summary, description: `\`GET ${request}\``, value: answers[request]?.body }]
  }
}

function withExample({ 'application/json': content }: Content, example: object): Content {
  return { 'application/json': { ...content, example } }
}

/** Besides those that every answer has. */
function headerRefs(headers: readonly AnswerHeader[]): object {
  const names = [...everyAnswerHeaders, ...headers].map((header) => answerHeaders[header].name)
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]))
}

const everyAnswerHeaders = ['requestId', ...quotaHeaders] as const

function refer(kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}
