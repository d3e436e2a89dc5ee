// Shows JSON: the response of the watch list as a client sees it, and highlighted JSON.

import { tokensOf } from '../../scripts/json-tokens.ts'
import { type Html, html } from './html.ts'
import type { Instance } from './instance.ts'

/** The response of `GET /watches?per_page=1` on this instance, indented. */
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

/** Highlights keys, strings and plain values. Text that is not JSON is only escaped. */
export function highlightJson(text: string): Html {
  return html`${tokensOf(text).map(({ text: part, kind }) =>
    kind === undefined ? part : html`<span class="json-${kind}">${part}</span>`,
  )}`
}

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces))
}
