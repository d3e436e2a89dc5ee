// In charge of showing JSON: the answer of the list as a client sees it, and a little colour for reading it.

import { type Child, type Html, html } from './html.ts'
import type { Instance } from './instance.ts'

/** What `GET /watches?per_page=1` answers on this instance, indented. */
export function listAnswer({ example, watches }: Pick<Instance, 'example' | 'watches'>): string {
  const data = example.trim() === '' ? '[]' : `[\n${indent(example.trim(), 4)}\n  ]`
  return `{
  "data": ${data},
  "meta": {
    "current_page": 1,
    "per_page": 1,
    "total": ${watches}
  }
}`
}

/** Marks keys, strings and plain values. Text that is not JSON comes out unmarked, and always escaped. */
export function highlightJson(text: string): Html {
  const parts: Child[] = []
  let end = 0
  for (const match of text.matchAll(jsonToken)) {
    const token = match[0]
    parts.push(
      text.slice(end, match.index),
      html`<span class="${tokenClass(token, match[1])}">${token}</span>`,
    )
    end = match.index + token.length
  }
  return html`${parts}${text.slice(end)}`
}

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces))
}

function tokenClass(token: string, quoted: string | undefined): string {
  if (quoted === undefined) return 'json-value'
  return token.endsWith(':') ? 'json-key' : 'json-string'
}

const jsonToken = /("(?:\\.|[^"\\\n])*")(?:\s*:)?|-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b/g
