// `watchdata restore FILE`: loads a backup into an empty database. Backup and database may be of different engines.
import { systemClock } from '../clock.ts'
import { openBackup, restoreBackup } from '../storage/restore.ts'
import { withDatabase } from './database-command.ts'
import { type CommonOptions, print, printJson } from './output.ts'

export async function restoreCommand(file: string, { json }: CommonOptions): Promise<void> {
  const backup = await openBackup(file)
  const { rows } = await withDatabase((database) => restoreBackup(database, backup, systemClock))
  if (json) printJson({ file, rows })
  else print(`Restored ${rows} rows from ${file}.`)
}
