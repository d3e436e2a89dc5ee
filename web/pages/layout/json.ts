// In charge of showing JSON: the answer of the list as a client sees it, and a little colour for reading it.

import { tokensOf } from '../../scripts/json-tokens.ts'
import { type Html, html } from './html.ts'
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
  return html`${tokensOf(text).map(({ text: part, kind }) =>
    kind === undefined ? part : html`<span class="json-${kind}">${part}</span>`,
  )}`
}

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces))
}
