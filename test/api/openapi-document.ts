// Reads the OpenAPI document for tests: returns its parts by name, and validates real responses against its schemas.
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { buildDocument } from '../../src/http/contract/openapi/document.ts'
import type { OperationRow } from '../../src/http/contract/operations/operation.ts'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: AnySchema
  readonly example?: unknown
}

export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>
}

export interface DocumentedOperation {
  readonly parameters: object[]
  readonly requestBody?: { readonly content: Readonly<Record<string, DocumentedBody>> }
  readonly responses: Record<string, object>
}

interface PostedEvent {
  readonly parameters: readonly Parameter[]
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: AnySchema }>> }
}

interface DocumentedBody {
  readonly schema: AnySchema
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>
}

interface Document {
  readonly paths: Record<string, Record<string, DocumentedOperation>>
  readonly webhooks: Record<string, { readonly post: PostedEvent }>
  readonly components: Record<string, Record<string, object>>
}

type Named = Pick<OperationRow, 'method' | 'path'>

export const document = buildDocument('http://localhost:8080') as Document
const validator = createValidator()

export function documented({ method = 'GET', path }: Named): DocumentedOperation {
  return document.paths[path]?.[method.toLowerCase()] ?? { parameters: [], responses: {} }
}

export function responseOf(operation: Named, status: number | string): DocumentedResponse {
  return resolve(documented(operation).responses[status] ?? {})
}

/** The schema of a response, which has one content type. */
export function schemaOf({ content = {} }: DocumentedResponse): AnySchema | undefined {
  return Object.values(content)[0]?.schema
}

export function resolve<T>(node: object): T {
  return ('$ref' in node ? follow(String(node.$ref)) : node) as T
}

export function follow(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce((node: unknown, name) => (node as Record<string, unknown> | undefined)?.[name], document)
}

export function expectValid(schema: AnySchema | undefined, body: unknown, what: string): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  validator.validate(absolute, body)
  expect(validator.errors ?? [], what).toEqual([])
}

/** The document leaves objects open for what v1 may add; here an undocumented field is an error. */
function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const components = JSON.parse(JSON.stringify(document.components), (_name, node) =>
    node?.type === 'object' && node.properties !== undefined
      ? { ...node, additionalProperties: false }
      : node,
  )
  return ajv.addSchema({ components }, 'document')
}
