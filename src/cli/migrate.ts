// `watchdata migrate`: brings the database up to date and prints the migrations that were applied.
import { systemClock } from '../clock.ts'
import { migrate } from '../storage/migrate.ts'
import { withDatabase } from './database-command.ts'
import { type CommonOptions, print, printJson } from './output.ts'

export async function migrateCommand({ json }: CommonOptions): Promise<void> {
  const applied = await withDatabase((database) => migrate(database, systemClock))
  const names = applied.map(({ label }) => label)
  if (json) printJson({ applied: names })
  else print(names.length === 0 ? 'The database is up to date.' : `Applied ${names.join(', ')}.`)
}
