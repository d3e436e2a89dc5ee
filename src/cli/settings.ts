// `watchdata settings`: prints the table of settings as text or JSON.
import { settingRows } from '../config.ts'
import { type CommonOptions, print, printJson, table } from './output.ts'

export function settingsCommand({ json }: CommonOptions): void {
  const rows = settingRows()
  if (json) printJson(rows)
  else {
    const cells = rows.map((row) => [row.env, row.default || '–', row.type, row.help.replaceAll('`', '')])
    print(table([['setting', 'default', 'type', 'meaning'], ...cells]))
  }
}
