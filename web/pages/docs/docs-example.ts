// Formats a request and a response for the docs: a curl command that can be pasted, and compact JSON.

import { inShell } from '../../scripts/curl.ts'
import { apiAddress } from '../layout/request.ts'

const jsonType = `-H 'Content-Type: application/json'`

/** One parameter per line, encoded by curl. In the URL itself, curl would read brackets as a range. */
export function curlRequest(baseUrl: string, request: string, method = 'GET', body?: object): string {
  const [path = '', query] = request.split('?')
  const address = inShell(apiAddress(baseUrl) + path)
  const key = `-H 'Authorization: Bearer YOUR_API_KEY'`
  if (method !== 'GET') {
    const sent = body === undefined ? [] : [jsonType, `-d ${inShell(compactJson(body))}`]
    return [`curl -X ${method} ${address}`, key, ...sent].join(' \\\n  ')
  }
  if (query === undefined) return `curl ${address} \\\n  ${key}`
  const parameters = query.split('&').map((parameter) => {
    const written = decodeURIComponent(parameter)
    return `${written === parameter ? '-d' : '--data-urlencode'} ${inShell(written)}`
  })
  return [`curl -G ${address}`, key, ...parameters].join(' \\\n  ')
}

/** JSON in which a value that fits on one line stays on one line. */
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
