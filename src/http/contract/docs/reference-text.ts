// Writes the API reference as Markdown: every endpoint, grouped by tag, with its parameters, response fields and
// examples with real responses. Headings of the fourth level are examples; the page folds them.
import { compactJson, curlRequest } from '../../../../web/pages/docs/docs-example.ts'
import { slugOf } from '../../../../web/pages/docs/slug.ts'
import { formatNumber } from '../../../../web/pages/layout/format.ts'
import { code, codeFence, markdownTable } from './markdown-table.ts'
import type { EndpointRow, ExampleRow, ParameterRow, Reference } from './reference.ts'

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

export function fieldsText({ schemas }: Reference, name: string): string {
  const fields = schemas.find((schema) => schema.name === name)?.fields
  if (fields === undefined) throw new Error(`there is no schema ${name}`)
  return markdownTable([
    ['field', 'type', 'meaning'],
    ...fields.map((field) => [code(field.name), field.type, field.meaning]),
  ])
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
  const { method, path, summary, description, parameters, takesListParameters, body, statuses } = endpoint
  return [
    `### ${summary}`,
    code(`${method} ${path}`),
    description,
    parameters.length > 0 && parametersText(parameters),
    takesListParameters &&
      'Takes all [parameters of a list](filters.md#parameters) and all [filters](filters.md#operators).',
    body !== '' && `Send as JSON:\n\n${fieldsText(reference, body)}`,
    answerFields(endpoint, reference),
    `Statuses: ${statuses.join(', ')}. [What they mean](errors.md)`,
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

function exampleBlocks(
  { method, request, sent, status, headers, body }: ExampleRow,
  baseUrl: string,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  const answer = body === undefined ? '' : compactJson(body)
  const label = `Response, status ${status}`
  const shown =
    lines.length > 0
      ? codeFence('http', label, `${lines.join('')}\n${answer}`.trim())
      : codeFence('json', label, answer)
  const asked = codeFence('sh', 'Request', curlRequest(baseUrl, request, method, sent))
  return lines.length === 0 && answer === ''
    ? `${asked}\n\n${label}, without a body.`
    : `${asked}\n\n${shown}`
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
