// In charge of the tables that the docs pages take from the code, as Markdown.
// `npm run docs` writes them into docs/; a test fails when the two differ.
import { settingRows } from './config.ts'
import { type ProblemKind, problems } from './errors.ts'

export function settingsTable(): string {
  const rows = settingRows().map((row) => [`\`${row.env}\``, code(row.default), row.type, row.help])
  return markdownTable([['setting', 'default', 'type', 'meaning'], ...rows])
}

export function problemsTable(): string {
  const rows = Object.values(problems).map(({ status, message, when }: ProblemKind) => [
    String(status),
    `\`${message}\``,
    when,
  ])
  return markdownTable([['status', '`message`', 'when'], ...rows])
}

function markdownTable([head = [], ...rows]: string[][]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}
