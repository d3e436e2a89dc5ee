// In charge of what the docs page is told of the API: the tables of operations, operators and units and the schemas,
// in the words of that page. It loads the schemas, so this is done when the page is first asked for.
import type { DocsEndpoint, DocsSchema, Reference, SameValues } from '../../../web/pages/docs-data.ts'
import { listParameters, operators, queryLimits } from '../../search/operators.ts'
import { findScale, quantityKeys } from '../../specs/units.ts'
import { componentSchemas } from '../contract.ts'
import { answerHeaders, type HeaderRow, quotaHeaders, requestHeaders } from './answer-headers.ts'
import { type ExampleAnswers, readExampleAnswers } from './examples.ts'
import { statusesOf } from './operation-rules.ts'
import { type Operation, operations } from './operations.ts'
import { quotaRules } from './quota-rules.ts'

/** A few of the many, each of which a test asks the service about. */
export const sameQuantities: readonly SameValues[] = [
  { key: 'water_resistance', values: ['100 m', '10 bar', '10 ATM', '330 ft', '100'] },
  { key: 'power_reserve', values: ['72 h', '3 days', 'approx. 72 hours'] },
  { key: 'case_diameter', values: ['42 mm', '4.2 cm', '42'] },
  { key: 'frequency', values: ['4 Hz', '28,800 vph', '28800 A/h'] },
]

export const synonymExamples: readonly SameValues[] = [
  { key: 'movement_type', values: ['Automatic', 'Self-winding'] },
  { key: 'dial_color', values: ['Grey', 'Gray'] },
  { key: 'crystal', values: ['Sapphire', 'Sapphire crystal'] },
]

export function describeReference(): Reference {
  const answers = readExampleAnswers()
  const schemas = componentSchemas() as Record<string, JsonSchema>
  return {
    operators,
    parameters: listParameters,
    limits: queryLimits,
    quantities: listQuantities(),
    sameQuantities,
    synonyms: synonymExamples,
    schemas: shownSchemas.map((name) => describeSchema(name, schemas[name])),
    endpoints: operations.map((operation) => describeEndpoint(operation, answers)),
    answerHeaders: Object.values(answerHeaders).filter((row) => !aboutQuota.includes(row)),
    requestHeaders: Object.values(requestHeaders),
    quotaHeaders: aboutQuota,
    quotaRules,
  }
}

const aboutQuota: readonly HeaderRow[] = [
  ...quotaHeaders.map((header) => answerHeaders[header]),
  answerHeaders.retryAfter,
]

const shownSchemas = ['Watch', 'Meta', 'Brand', 'SpecKey', 'ValueCount', 'PriceLine', 'Usage'] as const

/** What is within `data`. */
const dataSchemas: Partial<Record<Operation['answers'][0], (typeof shownSchemas)[number]>> = {
  WatchList: 'Watch',
  WatchAnswer: 'Watch',
  BrandList: 'Brand',
  BrandAnswer: 'Brand',
  SpecKeyList: 'SpecKey',
  SpecValueList: 'ValueCount',
  PriceHistory: 'PriceLine',
  UsageAnswer: 'Usage',
}

function describeEndpoint(operation: Operation, answers: ExampleAnswers): DocsEndpoint {
  const { id, path, summary, description, pathParameters, query, examples } = operation
  const inPath = pathParameters.map((row) => ({ ...row, name: `{${row.name}}` }))
  return {
    anchor: id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    path,
    summary,
    description,
    takesListParameters: query === 'watches',
    parameters: [...inPath, ...(query === 'watches' ? [] : query)],
    statuses: statusesOf(operation),
    schema: dataSchemas[operation.answers[0]] ?? '',
    examples: examples.map(({ name, summary, request, status }) => ({
      name,
      summary,
      request,
      status,
      headers: Object.entries(answers[request]?.headers ?? {}).map(([name, value]) => ({ name, value })),
      body: answers[request]?.body,
    })),
  }
}

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
}

function describeSchema(name: string, { properties = {} }: JsonSchema = {}): DocsSchema {
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type: typeName(schema),
    meaning: schema.description ?? '',
  }))
  return { name, fields }
}

function typeName({ type, enum: choices, items }: JsonSchema): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ')
  if (items !== undefined) return items.type === undefined ? 'list' : `list of ${plural(typeName(items))}`
  return [type ?? 'object'].flat().join(' or ')
}

/** `string or number` → `strings or numbers`. */
function plural(types: string): string {
  return types.replaceAll(/\b(string|number|boolean|object)\b/g, '$1s')
}

/** Keys with one set of units, by the unit that each is read in. */
function listQuantities(): Reference['quantities'] {
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
