// `watchdata backup FILE`: writes a consistent copy of the whole database to a file, while the service keeps writing.
import { writeBackup } from '../storage/backup.ts'
import { withDatabase } from './database-command.ts'
import { type CommonOptions, print, printJson } from './output.ts'

export async function backupCommand(file: string, { json }: CommonOptions): Promise<void> {
  const { rows, bytes } = await withDatabase((database) => writeBackup(database, file), { mustExist: true })
  if (json) printJson({ file, rows, bytes })
  else print(`Wrote ${rows} rows to ${file} (${bytes} bytes).`)
}
