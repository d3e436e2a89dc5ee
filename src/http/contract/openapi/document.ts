// Builds the OpenAPI document from the tables of operations, parameters, headers and problems, and from the schemas.
// Importing this file loads the schemas, so it is imported when the document is first requested.
import { version } from '../../../version.ts'
import { strictName } from '../../queries/unknown-parameters.ts'
import { type ExampleAnswers, readExampleAnswers } from '../examples/examples.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { quotaRules } from '../operations/quota-rules.ts'
import { answerHeaders, type HeaderRow } from '../operations/response-headers.ts'
import { type BodyName, componentSchemas } from '../schemas.ts'
import { componentName } from './parameter.ts'
import {
  headerParameters,
  headerParametersOf,
  toPathParameter,
  toQueryParameter,
  watchParameters,
} from './parameters.ts'
import { describePostedEvents } from './posted-events.ts'
import { describeResponses, jsonType, refer, sharedResponses, withPickedExamples } from './responses.ts'

export function buildDocument(baseUrl: string): object {
  const answers = readExampleAnswers()
  return {
    openapi: '3.1.1',
    info: {
      title: 'watchdata',
      version,
      summary: 'A catalogue of watches, published as JSON.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    externalDocs: { description: 'The same as web pages', url: `${baseUrl}/docs` },
    security: [{ key: [] }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: describePaths(answers),
    webhooks: describePostedEvents(),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as `Authorization: Bearer YOUR_API_KEY`.',
        },
      },
      parameters: Object.fromEntries(
        [...watchParameters(), ...headerParameters()].map((parameter) => [
          componentName(parameter),
          parameter,
        ]),
      ),
      headers: Object.fromEntries(
        Object.values(answerHeaders).map(({ name, meaning, type = 'string', example }: HeaderRow) => [
          name,
          { description: meaning, schema: { type }, ...(example !== undefined && { example }) },
        ]),
      ),
      responses: sharedResponses(answers),
      schemas: withPickedExamples(componentSchemas(), answers),
    },
  }
}

const description = `Every request carries an API key. Responses are JSON; every error has a \`message\`.

Every path that supports \`GET\` also supports \`HEAD\`, which returns the same headers and no body. An existing path responds to any other method with 405 and \`Allow\`. Request bodies are JSON too. Within v1, fields, parameters and paths are only added: ignore those you do not know.

A query parameter that an operation does not know is ignored, and named in \`X-Unknown-Parameters\`. With \`strict=1\`, which every operation takes, it is refused with 422.

The examples are responses of the sample catalogue that the service comes with.

A plan has a daily quota of requests, and decides which endpoints may be used: others return 403. Every response shows the state of the quota (\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\`).

${quotaRules.map((rule) => `- ${rule}`).join('\n')}`

const tags: Record<Operation['tag'], string> = {
  Watches: 'Watches, found by any of their specs.',
  Brands: 'Brands, and the watches of each.',
  Specs: 'The spec dictionary: all keys and their values.',
  Search: 'What people type, completed.',
  Sync: 'A copy of the catalogue: an export, and the changes since.',
  Webhooks: 'Events, posted to a URL of yours.',
  Account: 'Your account: its plan and its usage.',
}

/** Groups the operations by path, since a path may have several methods. */
function describePaths(answers: ExampleAnswers): Record<string, object> {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, ofPath]) => [
      path,
      Object.fromEntries(
        ofPath.map((operation) => [operation.method.toLowerCase(), describeOperation(operation, answers)]),
      ),
    ]),
  )
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
        ? watchParameters().map((parameter) => refer('parameters', componentName(parameter)))
        : query.map(toQueryParameter)),
      // Elsewhere it would add an argument to the functions of generated clients.
      ...(query !== 'watches' && query.length > 0 ? [refer('parameters', strictName)] : []),
      ...headerParametersOf(operation).map(({ name }) => refer('parameters', name)),
    ],
    ...(operation.body !== undefined && { requestBody: describeBody(operation, operation.body) }),
    responses: describeResponses(operation, answers),
  }
}

function describeBody({ examples }: Operation, name: BodyName): object {
  const sent = examples.filter(({ status, body }) => body !== undefined && status < 300)
  return {
    required: true,
    content: {
      [jsonType]: {
        schema: refer('schemas', name),
        examples: Object.fromEntries(sent.map(({ name, summary, body }) => [name, { summary, value: body }])),
      },
    },
  }
}
