// Builds the OpenAPI parameters from the tables that the query parser uses.
import { findSubject, isPrice, type ListParameter, listParameters } from '../../../search/query/operators.ts'
import type { Operation, PathParameter } from '../operations/operation.ts'
import { isConditional, isRepeatable } from '../operations/operation-rules.ts'
import { type HeaderRow, requestHeaders } from '../operations/response-headers.ts'
import { priceParameters, specParameter } from './filter-parameters.ts'
import type { Parameter } from './parameter.ts'

/** All query parameters of a list of watches. */
export function watchParameters(): Parameter[] {
  return [specParameter(), ...listParameters.flatMap(toQueryParameters)]
}

/** A price has a parameter for each operator. */
function toQueryParameters(row: ListParameter): Parameter[] {
  const subject = findSubject(row.name)
  return subject !== undefined && isPrice(subject) ? priceParameters(row, subject) : [toQueryParameter(row)]
}

export function toQueryParameter(row: ListParameter): Parameter {
  const { name, meaning } = row
  return {
    name,
    in: 'query',
    description: meaning,
    ...(row.type.startsWith('list') && { style: 'form', explode: false }),
    schema: schemaOf(row),
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
  return Object.values(requestHeaders).map(
    ({ name, meaning, type = 'string', pattern, example }: HeaderRow) => ({
      name,
      in: 'header',
      description: meaning,
      schema: type === 'integer' ? { type, minimum: 0 } : { type, ...(pattern !== undefined && { pattern }) },
      ...(example !== undefined && { example }),
    }),
  )
}

function schemaOf({ name, type, min = 1, max, choices, default: unasked }: ListParameter): object {
  switch (type) {
    case 'integer':
      return { type, minimum: min, maximum: max, ...(unasked !== undefined && { default: Number(unasked) }) }
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
  const written = new URLSearchParams(example).get(name) ?? ''
  if (type === 'list of integers') return written.split(',').map(Number)
  if (type === 'list of strings') return written.split(',')
  if (type === 'boolean') return written === '1' || written === 'true'
  return type === 'string' || type === 'date' ? written : Number(written)
}
