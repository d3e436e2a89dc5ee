// In charge of how the docs page shows a request and its answer: a curl line that can be pasted, JSON that can be
// read at a glance.

import { codeBlock } from './block.ts'
import type { DocsExample } from './docs-data.ts'
import { type Html, html } from './html.ts'
import { highlightJson } from './json.ts'
import { apiAddress } from './request.ts'

/** Closed until it is asked for, unless it is the first. */
export function foldedExample(baseUrl: string, example: DocsExample, isOpen: boolean): Html {
  const { summary, status } = example
  return html`<details class="example"${isOpen && html` open`}>
<summary>${summary}${status >= 300 && html` <span class="example-status">${status}</span>`}</summary>
<div class="stack">
${exampleBlocks(baseUrl, example)}
</div>
</details>
`
}

export function exampleBlocks(baseUrl: string, example: DocsExample): Html {
  const { method, request, sent: body, status, headers, body: answer } = example
  const sent = headers.map(({ name, value }) => `${name}: ${value}\n`).join('')
  return html`${codeBlock('Request', curlRequest(baseUrl, request, method, body))}
${codeBlock(`Answer, status ${status}`, html`${sent !== '' && `${sent}\n`}${answer !== undefined && highlightJson(compactJson(answer))}`)}`
}

const jsonType = `-H 'Content-Type: application/json'`

/** One parameter a line, encoded by curl: brackets in its address it would read itself. */
export function curlRequest(baseUrl: string, request: string, method = 'GET', body?: object): string {
  const [path = '', query] = request.split('?')
  const address = `'${apiAddress(baseUrl)}${path}'`
  const key = `-H 'Authorization: Bearer YOUR_API_KEY'`
  if (method !== 'GET') {
    const sent = body === undefined ? [] : [jsonType, `-d '${compactJson(body).replaceAll("'", "'\\''")}'`]
    return [`curl -X ${method} ${address}`, key, ...sent].join(' \\\n  ')
  }
  if (query === undefined) return `curl ${address} \\\n  ${key}`
  const parameters = query.split('&').map((parameter) => {
    const written = decodeURIComponent(parameter)
    return `${written === parameter ? '-d' : '--data-urlencode'} '${written}'`
  })
  return [`curl -G ${address}`, key, ...parameters].join(' \\\n  ')
}

/** What fits on a line stays on it. */
export function compactJson(value: unknown, indent = '', label = ''): string {
  const line = label + onOneLine(value)
  if (indent.length + line.length <= lineLengthMax || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((member) => compactJson(member, inner))
    : Object.entries(value).map(([name, member]) => compactJson(member, inner, labelOf(name)))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${label}${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`
}

const lineLengthMax = 84

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const members = Object.entries(value).map(([name, member]) => labelOf(name) + onOneLine(member))
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function labelOf(name: string): string {
  return `${JSON.stringify(name)}: `
}
