// In charge of the OpenAPI document: the tables of operations, parameters, headers and problems, and the schemas,
// put into its form. Loading it loads the schemas, so this is done when the document is first asked for.
import { type ProblemCode, type ProblemKind, problems } from '../../errors.ts'
import { version } from '../../version.ts'
import { type AnswerName, componentSchemas } from '../contract.ts'
import { type AnswerHeader, answerHeaders } from './answer-headers.ts'
import { type ExampleAnswers, readExampleAnswers } from './examples.ts'
import { type Example, type Operation, operations } from './operations.ts'
import { headerParameters, toPathParameter, toQueryParameter, watchParameters } from './parameters.ts'

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
        Object.values(answerHeaders).map(({ name, meaning }) => [
          name,
          { description: meaning, schema: { type: 'string' } },
        ]),
      ),
      responses: sharedResponses(),
      schemas: componentSchemas(),
    },
  }
}

const description = `Every request carries an API key. Answers are JSON; every error has a \`message\`.

Every path answers \`HEAD\` as it does \`GET\`, without the body. A path that exists answers any other method with 405 and \`Allow\`. Within v1 fields, parameters and paths are only added: ignore those you do not know.

The examples are answers of the sample catalogue that the service comes with.`

const tags: Record<Operation['tag'], string> = {
  Watches: 'Watches, found by any of their specs.',
  Brands: 'Brands, and the watches of each.',
  Specs: 'The spec dictionary: which keys there are, and which values.',
}

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
      ...headerParameters().map(({ name }) => refer('parameters', name)),
    ],
    responses: describeResponses(operation, answers),
  }
}

function describeResponses(operation: Operation, answers: ExampleAnswers): object {
  const { examples, headers } = operation
  const ofStatus = (wanted: number) => examples.filter(({ status }) => status === wanted)
  const refused = operation.problems.map((code) => {
    const { status } = problems[code]
    return [status, describeProblem(code, [], ofStatus(status), answers)]
  })
  return {
    200: {
      description: operation.found,
      headers: headerRefs(['requestId', 'etag', ...headers]),
      content: json(operation.answers, ofStatus(200), answers),
    },
    304: refer('responses', 'NotModified'),
    401: refer('responses', 'Unauthenticated'),
    ...Object.fromEntries(refused),
    default: refer('responses', 'Other'),
  }
}

function sharedResponses(): Record<string, object> {
  return {
    NotModified: {
      description: 'What you hold, by `If-None-Match`, is still the answer. There is no body.',
      headers: headerRefs(['requestId', 'etag']),
    },
    Unauthenticated: describeProblem('unauthenticated', ['wwwAuthenticate'], [], {}),
    Other: {
      description:
        'Whatever else went wrong, with the HTTP itself (400, 408, 414, 417, 431) or with the service (500, 503).',
      headers: headerRefs(['requestId', 'retryAfter']),
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
    headers: headerRefs(['requestId', ...headers]),
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

function headerRefs(headers: readonly AnswerHeader[]): object {
  return Object.fromEntries(
    headers.map((header) => [answerHeaders[header].name, refer('headers', answerHeaders[header].name)]),
  )
}

function refer(kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}
