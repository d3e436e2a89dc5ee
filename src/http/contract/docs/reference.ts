// Collects what the docs show of the API: every operation with its parameters, statuses and stored responses, and the
// schemas. Importing this file loads the schemas, so it is imported when a page is first requested.
import type { ListParameter } from '../../../search/query/operators.ts'
import {
  type ExampleAnswer,
  type ExampleAnswers,
  exampleKey,
  readExampleAnswers,
} from '../examples/examples.ts'
import type { Example, Operation } from '../operations/operation.ts'
import { isRepeatable } from '../operations/operation-rules.ts'
import { operations } from '../operations/operations.ts'
import { requestHeaders } from '../operations/response-headers.ts'
import { componentSchemas } from '../schemas.ts'

export interface ParameterRow
  extends Pick<ListParameter, 'name' | 'meaning' | 'example' | 'default' | 'max' | 'choices'> {
  readonly type: string
}

export interface EndpointRow extends Operation {
  readonly parameters: readonly ParameterRow[]
  /** The schema of the items or object in `data`; empty where it has no name. */
  readonly schema: string
  readonly examples: readonly ExampleRow[]
}

export interface ExampleRow extends Example {
  readonly method: Operation['method']
  readonly response: ExampleAnswer | undefined
}

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
}

/** The endpoints and schemas of the API. */
export interface Reference {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly endpoints: readonly EndpointRow[]
}

export function describeReference(): Reference {
  const answers = readExampleAnswers()
  const schemas: Reference['schemas'] = componentSchemas()
  return { schemas, endpoints: operations.map((one) => describeEndpoint(one, schemas, answers)) }
}

/** The Idempotency-Key header, shown as a parameter of endpoints where it has an effect. */
const onceKey = {
  name: requestHeaders.idempotencyKey.name,
  type: 'header',
  meaning: 'A key of your own for this one request: a retry with the same key is not executed again.',
  example: `${requestHeaders.idempotencyKey.name}: price-desk-1`,
}

function describeEndpoint(
  operation: Operation,
  schemas: Reference['schemas'],
  answers: ExampleAnswers,
): EndpointRow {
  const { method, pathParameters, query, examples } = operation
  const once = isRepeatable(operation) ? [onceKey] : []
  const inPath = pathParameters.map((row) => ({ ...row, name: `{${row.name}}` }))
  return {
    ...operation,
    parameters: [...inPath, ...(query === 'watches' ? [] : query), ...once],
    schema: dataSchema(schemas[operation.answers[0] ?? '']),
    examples: examples.map((example) => ({
      ...example,
      method,
      response: answers[exampleKey(operation, example)],
    })),
  }
}

function dataSchema({ properties: { data } = {} }: JsonSchema = {}): string {
  const name = (data?.items ?? data)?.$ref?.split('/').at(-1) ?? ''
  // The description of the endpoint explains the secret; all other fields are those of a webhook.
  return name === 'WebhookWithSecret' ? 'Webhook' : name
}
