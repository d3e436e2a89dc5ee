// Collects what the docs show of the API: the tables of operations and units, and the schemas. Importing this file
// loads the schemas, so it is imported when a page is first requested.
import type { ListParameter } from '../../../search/query/operators.ts'
import { findScale, quantityKeys } from '../../../specs/units.ts'
import { type ExampleAnswers, exampleKey, readExampleAnswers } from '../examples/examples.ts'
import { type Example, methodOf, type Operation } from '../operations/operation.ts'
import { statusesOf } from '../operations/operation-rules.ts'
import { operations } from '../operations/operations.ts'
import {
  answerHeaders,
  type HeaderRow,
  quotaHeaders,
  requestHeaders,
} from '../operations/response-headers.ts'
import { type AnswerName, componentSchemas } from '../schemas.ts'

interface SameValues {
  readonly key: string
  readonly values: readonly string[]
}

export interface ParameterRow
  extends Pick<ListParameter, 'name' | 'meaning' | 'example' | 'max' | 'choices'> {
  readonly type: string
  readonly default?: string | undefined
}

interface SchemaRow {
  readonly name: string
  readonly fields: readonly { name: string; type: string; meaning: string }[]
}

export interface EndpointRow {
  readonly id: string
  readonly tag: Operation['tag']
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly takesListParameters: boolean
  readonly parameters: readonly ParameterRow[]
  readonly statuses: readonly number[]
  /** The schema of the request body; empty without one. */
  readonly body: string
  /** The schema of the items or object in `data`. */
  readonly schema: string
  readonly examples: readonly ExampleRow[]
}

export interface ExampleRow {
  readonly name: string
  readonly summary: string
  readonly method: string
  /** Path and query below /api/v1. */
  readonly request: string
  /** The request body, if any. */
  readonly sent: object | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The endpoints and schemas of the API. */
export interface Reference {
  readonly schemas: readonly SchemaRow[]
  readonly endpoints: readonly EndpointRow[]
}

/** Some examples of equal quantities. A test checks each against the service. */
export const sameQuantities: readonly SameValues[] = [
  { key: 'water_resistance', values: ['100 m', '10 bar', '10 ATM', '330 ft', '100'] },
  { key: 'power_reserve', values: ['72 h', '3 days', 'approx. 72 hours'] },
  { key: 'case_diameter', values: ['42 mm', '4.2 cm', '42'] },
  { key: 'frequency', values: ['4 Hz', '28,800 vph', '28800 A/h'] },
]

export function describeReference(): Reference {
  const answers = readExampleAnswers()
  const schemas = componentSchemas() as Record<string, JsonSchema>
  return {
    schemas: shownSchemas.map((name) => describeSchema(name, schemas[name])),
    endpoints: operations.map((operation) => describeEndpoint(operation, answers)),
  }
}

export const aboutQuota: readonly HeaderRow[] = [
  ...quotaHeaders.map((header) => answerHeaders[header]),
  answerHeaders.retryAfter,
]

const shownSchemas = [
  'Watch',
  'Meta',
  'Brand',
  'SpecKey',
  'ValueCount',
  'PriceLine',
  'Change',
  'Webhook',
  'Delivery',
  'DeliveryDetails',
  'NewWebhook',
  'WebhookChanges',
  'RedeliveryRequest',
  'Usage',
] as const

/** The schema of `data` for each response. */
const dataSchemas: Partial<Record<AnswerName, (typeof shownSchemas)[number]>> = {
  WatchList: 'Watch',
  WatchAnswer: 'Watch',
  BrandList: 'Brand',
  BrandAnswer: 'Brand',
  SpecKeyList: 'SpecKey',
  SpecValueList: 'ValueCount',
  PriceHistory: 'PriceLine',
  ChangeList: 'Change',
  WebhookList: 'Webhook',
  WebhookAnswer: 'Webhook',
  WebhookSecretAnswer: 'Webhook',
  DeliveryList: 'Delivery',
  DeliveryAnswer: 'Delivery',
  DeliveryDetailsAnswer: 'DeliveryDetails',
  UsageAnswer: 'Usage',
}

/** The Idempotency-Key header, shown as a parameter of POST endpoints. */
const onceKey = {
  name: requestHeaders.idempotencyKey.name,
  type: 'header',
  meaning: 'A key of your own for this one request: a retry with the same key is not executed again.',
  example: `${requestHeaders.idempotencyKey.name}: price-desk-1`,
}

function describeEndpoint(operation: Operation, answers: ExampleAnswers): EndpointRow {
  const {
    id,
    tag,
    path,
    summary,
    description,
    pathParameters,
    query,
    examples,
    body,
    answers: names,
  } = operation
  const inPath = pathParameters.map((row) => ({ ...row, name: `{${row.name}}` }))
  const method = methodOf(operation)
  return {
    id,
    tag,
    method,
    path,
    summary,
    description,
    takesListParameters: query === 'watches',
    parameters: [...inPath, ...(query === 'watches' ? [] : query), ...(method === 'POST' ? [onceKey] : [])],
    statuses: statusesOf(operation),
    body: body ?? '',
    schema: (names[0] && dataSchemas[names[0]]) ?? '',
    examples: examples.map((example) => describeExample(operation, example, answers)),
  }
}

function describeExample(operation: Operation, example: Example, answers: ExampleAnswers): ExampleRow {
  const { name, summary, request, body: sent, status } = example
  const { headers = {}, body } = answers[exampleKey(operation, example)] ?? {}
  return {
    name,
    summary,
    method: methodOf(operation),
    request,
    sent,
    status,
    headers,
    body,
  }
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
}

function describeSchema(name: string, { properties = {}, required = [] }: JsonSchema = {}): SchemaRow {
  // In responses all fields are present; in request bodies the required ones are marked.
  const isSent = operations.some(({ body }) => body === name)
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type: typeName(schema) + (isSent && required.includes(field) ? ', required' : ''),
    meaning: schema.description ?? '',
  }))
  return { name, fields }
}

function typeName({ type, enum: choices, items, anyOf }: JsonSchema): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ')
  if (items !== undefined) return items.type === undefined ? 'list' : `list of ${plural(typeName(items))}`
  if (anyOf?.every((one) => one.type !== undefined)) return anyOf.map(typeName).join(' or ')
  return [type ?? 'object'].flat().join(' or ')
}

/** `string or number` → `strings or numbers`. */
function plural(types: string): string {
  return types.replaceAll(/\b(string|number|boolean|object)\b/g, '$1s')
}

interface Quantity {
  readonly units: readonly string[]
  readonly keys: readonly { unit: string; names: readonly string[] }[]
}

/** Groups of keys that share their units, divided by the unit that each key is read in. */
export function listQuantities(): Quantity[] {
  const rows = new Map<unknown, { units: readonly string[]; keys: Map<string, string[]> }>()
  for (const key of quantityKeys) {
    const scale = findScale(key)
    if (scale === undefined) continue
    const units = [...new Set(scale.bySpelling.values())].map(({ name }) => name)
    const row = rows.get(scale.bySpelling) ?? { units, keys: new Map<string, string[]>() }
    row.keys.set(scale.unit.name, [...(row.keys.get(scale.unit.name) ?? []), key])
    rows.set(scale.bySpelling, row)
  }
  return [...rows.values()].map(({ units, keys }) => ({
    units,
    keys: [...keys].map(([unit, names]) => ({ unit, names })),
  }))
}
