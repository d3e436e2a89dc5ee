// `watchdata migrate`, `backup FILE` and `restore FILE`: brings the database up to date, writes a consistent copy of it
// to a file while the service keeps writing, and loads such a file into an empty database of either engine.
import { systemClock } from '../clock.ts'
import { writeBackup } from '../storage/backup.ts'
import { migrate } from '../storage/migrate.ts'
import { openBackup, restoreBackup } from '../storage/restore.ts'
import { withDatabase, withExistingDatabase } from './database-command.ts'
import { type CommonOptions, print, printJson } from './output.ts'

export async function migrateCommand({ json }: CommonOptions): Promise<void> {
  const applied = await withDatabase((database) => migrate(database, systemClock))
  const names = applied.map(({ label }) => label)
  if (json) printJson({ applied: names })
  else print(names.length === 0 ? 'The database is up to date.' : `Applied ${names.join(', ')}.`)
}

export async function backupCommand(file: string, { json }: CommonOptions): Promise<void> {
  const { rows, bytes } = await withExistingDatabase((database) => writeBackup(database, file))
  if (json) printJson({ file, rows, bytes })
  else print(`Wrote ${rows} rows to ${file} (${bytes} bytes).`)
}

export async function restoreCommand(file: string, { json }: CommonOptions): Promise<void> {
  const backup = await openBackup(file)
  const { rows } = await withDatabase((database) => restoreBackup(database, backup, systemClock))
  if (json) printJson({ file, rows })
  else print(`Restored ${rows} rows from ${file}.`)
}
