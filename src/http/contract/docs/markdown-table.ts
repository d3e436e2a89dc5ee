// Writes Markdown tables, inline code and code blocks. Escapes the given texts, so that they stay text.
import type { OperatorRow } from '../../../search/query/operators.ts'

export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n')
}

/** The filter operators. */
export function operatorsTable(operators: readonly OperatorRow[]): string {
  const rows = operators.map(({ written, oneLevel, meaning, example }) => {
    const spellings = [...new Set([written, oneLevel])].map(code)
    return [spellings.join(' or '), meaning, code(example)]
  })
  return markdownTable([['syntax', 'meaning', 'example'], ...rows])
}

/** A text that contains backticks is delimited by a longer run of backticks. */
export function code(text: string): string {
  if (text === '') return ''
  if (!text.includes('`')) return `\`${text}\``
  const longest = Math.max(...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const marks = '`'.repeat(longest + 1)
  return `${marks} ${text} ${marks}`
}

export function codeFence(language: string, label: string, text: string): string {
  return `\`\`\`${language} ${label}\n${text}\n\`\`\``
}
