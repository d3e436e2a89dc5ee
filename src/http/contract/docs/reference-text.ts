// Writes the API reference as Markdown: every endpoint, grouped by tag, with its parameters, response fields and
// examples with real responses. Headings of the fourth level are examples; the page folds them.
import { compactJson, curlRequest } from '../../../../web/pages/docs/docs-example.ts'
import { slugOf } from '../../../../web/pages/docs/slug.ts'
import { formatNumber } from '../../../../web/pages/layout/format.ts'
import { statusesOf } from '../operations/operation-rules.ts'
import { code, codeFence, markdownTable } from './markdown-table.ts'
import type { EndpointRow, ExampleRow, JsonSchema, ParameterRow, Reference } from './reference.ts'

export function endpointsText(reference: Reference, baseUrl: string): string {
  const groups = Map.groupBy(reference.endpoints, ({ tag }) => tag)
  return [...groups]
    .flatMap(([tag, endpoints]) => [
      `## ${tag}`,
      ...endpoints.map((one) => endpointText(one, reference, baseUrl)),
    ])
    .join('\n\n')
}

/** `name` is the id of the endpoint and the name of the example: `listWatches facets`. */
export function exampleText({ endpoints }: Reference, baseUrl: string, name: string): string {
  const [id, exampleName] = name.split(' ')
  const example = endpoints
    .find((endpoint) => endpoint.id === id)
    ?.examples.find((one) => one.name === exampleName)
  if (example === undefined) throw new Error(`there is no example ${name}`)
  return exampleBlocks(example, baseUrl)
}

export function fieldsText({ schemas, endpoints }: Reference, name: string): string {
  const { properties, required = [] } = schemas[name] ?? {}
  if (properties === undefined) throw new Error(`there is no schema ${name}`)
  // In responses all fields are present; in request bodies the required ones are marked.
  const isSent = endpoints.some(({ body }) => body === name)
  const rows = Object.entries(properties).map(([field, schema]) => {
    const mark = isSent && required.includes(field) ? ', required' : ''
    return [code(field), typeName(schema) + mark, schema.description ?? '']
  })
  return markdownTable([['field', 'type', 'meaning'], ...rows])
}

export function parametersText(parameters: readonly ParameterRow[]): string {
  return markdownTable([
    ['parameter', 'type', 'meaning', 'example'],
    ...parameters.map((row) => [
      code(row.name),
      kindOf(row),
      row.meaning + choicesOf(row),
      code(row.example),
    ]),
  ])
}

function endpointText(endpoint: EndpointRow, reference: Reference, baseUrl: string): string {
  const { method, path, summary, description, parameters, query, body } = endpoint
  return [
    `### ${summary}`,
    code(`${method} ${path}`),
    description,
    parameters.length > 0 && parametersText(parameters),
    query === 'watches' &&
      'Takes all [parameters of a list](filters.md#parameters) and all [filters](filters.md#operators).',
    body !== undefined && `Send as JSON:\n\n${fieldsText(reference, body)}`,
    answerFields(endpoint, reference),
    `Statuses: ${statusesOf(endpoint).join(', ')}. [What they mean](errors.md)`,
    ...endpoint.examples.map((one) => `#### ${exampleName(one)}\n\n${exampleBlocks(one, baseUrl)}`),
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

/** The fields are listed where the schema first occurs; elsewhere a link leads there. */
function answerFields({ id, schema }: EndpointRow, reference: Reference): string | false {
  const first = reference.endpoints.find((one) => one.schema === schema)
  if (schema === '' || first === undefined) return false
  if (first.id === id) return `Within \`data\`:\n\n${fieldsText(reference, schema)}`
  return `The fields within \`data\` are those of [${first.summary}](#${slugOf(first.summary)}).`
}

/** The heading of a failing example includes its status, which shows before it is opened. */
function exampleName({ summary, status }: ExampleRow): string {
  return status < 300 ? summary : `${summary}: ${status}`
}

function exampleBlocks({ method, request, body, status, response }: ExampleRow, baseUrl: string): string {
  const lines = Object.entries(response?.headers ?? {}).map(([name, value]) => `${name}: ${value}\n`)
  const answer = response?.body === undefined ? '' : compactJson(response.body)
  const label = `Response, status ${status}`
  const asked = codeFence('sh', 'Request', curlRequest(baseUrl, request, method, body))
  if (lines.length === 0 && answer === '') return `${asked}\n\n${label}, without a body.`
  const shown =
    lines.length > 0
      ? codeFence('http', label, `${lines.join('')}\n${answer}`.trim())
      : codeFence('json', label, answer)
  return `${asked}\n\n${shown}`
}

function typeName({ type, enum: choices, items, anyOf }: JsonSchema): string {
  if (choices !== undefined) return choices.map(code).join(', ')
  if (items !== undefined) return items.type === undefined ? 'list' : `list of ${plural(typeName(items))}`
  if (anyOf?.every((one) => one.type !== undefined)) return anyOf.map(typeName).join(' or ')
  return [type ?? 'object'].flat().join(' or ')
}

/** `string or number` → `strings or numbers`. */
function plural(types: string): string {
  return types.replaceAll(/\b(string|number|boolean|object)\b/g, '$1s')
}

function kindOf({ type, default: unasked, max }: ParameterRow): string {
  const most = max !== undefined && `at most ${formatNumber(max)}${unitOfMax(type)}`
  return [type, unasked !== undefined && `default ${unasked}`, most].filter(Boolean).join(', ')
}

/** The maximum limits the value of a number, the length of a list, the characters of a text. */
function unitOfMax(type: string): string {
  if (type === 'string') return ' characters'
  return type.startsWith('list') ? ' items' : ''
}

/** Leaves out the descending variants: the meaning explains `-` once. */
function choicesOf({ choices = [], type }: ParameterRow): string {
  const named = choices.filter(
    (choice) => !choice.startsWith('-') || !choices.includes(choice.replace(/^-/, '')),
  )
  if (named.length === 0) return ''
  return ` ${type.startsWith('list') ? 'Any of' : 'One of'} ${named.map(code).join(', ')}.`
}
