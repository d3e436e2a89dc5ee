// Builds the OpenAPI parameters from the tables that the query parser uses.
import {
  bracketsOf,
  isPrice,
  type ListParameter,
  listParameters,
  operators,
  queryLimits,
} from '../../../search/query/operators.ts'
import { operatorsTable } from '../docs/markdown-table.ts'
import type { Operation, PathParameter } from '../operations/operation.ts'
import { isConditional, isRepeatable } from '../operations/operation-rules.ts'
import { type HeaderRow, requestHeaders } from '../operations/response-headers.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: object
  readonly [key: string]: unknown
}

/** All query parameters of a list of watches. */
export function watchParameters(): Parameter[] {
  return [specParameter(), ...listParameters.map(toQueryParameter)]
}

export function toQueryParameter(row: ListParameter): Parameter {
  const { name, meaning } = row
  const isList = row.type.startsWith('list')
  const isRange = isPrice(name as Parameters<typeof isPrice>[0])
  return {
    name,
    in: 'query',
    description: meaning,
    ...(isList ? { style: 'form', explode: false } : isRange ? deepObject : {}),
    schema: isRange ? priceSchema() : schemaOf(row),
    example: exampleOf(row),
  }
}

export function toPathParameter({ name, type, meaning, example }: PathParameter): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: meaning,
    schema: type === 'integer' ? { type, minimum: 1 } : { type },
    example: type === 'integer' ? Number(example) : example,
  }
}

/**
 * The header parameters of an operation: If-None-Match only where the response has an ETag, Idempotency-Key only where
 * it has an effect.
 */
export function headerParametersOf(operation: Operation): Parameter[] {
  const { ifNoneMatch, idempotencyKey } = requestHeaders
  const left = new Set<string>()
  if (!isConditional(operation)) left.add(ifNoneMatch.name)
  if (!isRepeatable(operation)) left.add(idempotencyKey.name)
  return headerParameters().filter(({ name }) => !left.has(name))
}

export function headerParameters(): Parameter[] {
  return Object.values(requestHeaders).map(({ name, meaning, type = 'string', example }: HeaderRow) => ({
    name,
    in: 'header',
    description: meaning,
    schema: type === 'integer' ? { type, minimum: 0 } : { type },
    ...(example !== undefined && { example }),
  }))
}

const deepObject = { style: 'deepObject', explode: true }
const specValue = { type: 'string', minLength: 1, maxLength: queryLimits.valueLength }

/** OpenAPI does not define deepObject below its first level; the description explains the syntax. */
function specParameter(): Parameter {
  return {
    name: 'spec',
    in: 'query',
    description: [
      `Filters on \`specs\`, by any key, at most ${queryLimits.filters} in a request. Filters on different keys must all match.`,
      operatorsTable(operators.filter(({ subjects }) => subjects.includes('spec'))),
    ].join('\n\n'),
    ...deepObject,
    schema: {
      type: 'object',
      propertyNames: { minLength: 1, maxLength: queryLimits.keyLength },
      additionalProperties: {
        anyOf: [
          { ...specValue, description: '`spec[key]=value`' },
          { type: 'array', items: specValue, description: '`spec[key][]=value`, repeated' },
          operatorsSchema(),
        ],
      },
    },
    example: { dial_color: 'Black', water_resistance: { gte: '100 m' } },
  }
}

function operatorsSchema(): object {
  const named = operators.filter(({ suffix }) => suffix !== undefined && suffix !== '')
  return {
    type: 'object',
    description: '`spec[key][operator]=value`',
    minProperties: 1,
    additionalProperties: false,
    properties: Object.fromEntries(
      named.map(({ suffix, value, meaning }) => [
        suffix,
        { ...(value === 'boolean' ? { type: 'boolean' } : specValue), description: meaning },
      ]),
    ),
  }
}

function priceSchema(): object {
  const range = bracketsOf('retail_price_usd').map((bracket) => [bracket.slice(1, -1), { type: 'number' }])
  return {
    anyOf: [
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: Object.fromEntries(range),
      },
      { type: 'number', description: 'Exactly this price, without brackets.' },
    ],
  }
}

function schemaOf({ name, type, min = 1, max, choices, default: unasked }: ListParameter): object {
  switch (type) {
    case 'integer':
      return { type, minimum: min, maximum: max, default: Number(unasked) }
    case 'number':
      return { type }
    case 'date':
      return { type: 'string', format: type }
    case 'boolean':
      return { type, default: unasked === 'true' }
    case 'list of integers':
      return { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: max }
    case 'list of strings':
      return { type: 'array', items: itemOf(name, choices), minItems: 1, maxItems: max }
    case 'string':
      return {
        type,
        ...(choices === undefined ? { minLength: 1, maxLength: max } : { enum: choices }),
        default: unasked,
      }
  }
}

/** A choice with a placeholder, such as `specs.<key>`, becomes a pattern. */
function itemOf(name: string, choices: readonly string[] | undefined): object {
  if (choices === undefined) return { type: 'string', minLength: 1 }
  const whole = choices.filter((choice) => !choice.includes('<'))
  const open = choices.filter((choice) => choice.includes('<'))
  if (open.length === 0) return { type: 'string', enum: whole }
  const patterns = [...whole, ...open.map((choice) => `${choice.replace('.', '\\.').replace(/<.*>/, '.+')}`)]
  return { type: 'string', description: `One of the ${name}.`, pattern: `^(${patterns.join('|')})$` }
}

/** The example of the table, converted to its type. */
function exampleOf({ name, type, example }: ListParameter): unknown {
  const query = new URLSearchParams(example)
  const written = query.get(name)
  if (written === null) {
    const range = [...query].map(([key, value]) => [key.slice(name.length + 1, -1), Number(value)])
    return Object.fromEntries(range)
  }
  if (type === 'list of integers') return written.split(',').map(Number)
  if (type === 'list of strings') return written.split(',')
  if (type === 'boolean') return written === '1' || written === 'true'
  return type === 'string' || type === 'date' ? written : Number(written)
}
