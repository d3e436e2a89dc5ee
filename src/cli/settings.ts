// `watchdata settings`: the table of settings, as text, JSON or the Markdown of the docs page.
import { settingRows } from '../config.ts'
import { settingsTable } from '../docs-tables.ts'
import type { CommonOptions } from './main.ts'
import { columns, print, printJson } from './output.ts'

export function settingsCommand({ json, markdown }: CommonOptions & { markdown?: boolean }): void {
  const rows = settingRows()
  if (json) printJson(rows)
  else if (markdown) print(settingsTable())
  else {
    const cells = rows.map((row) => [row.env, row.default || '–', row.type, row.help.replaceAll('`', '')])
    print(columns([['setting', 'default', 'type', 'meaning'], ...cells]))
  }
}
