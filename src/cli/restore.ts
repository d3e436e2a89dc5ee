// `watchdata restore FILE`: a backup into an empty database, whichever engine either of them is.
import { systemClock } from '../clock.ts'
import { readBackup } from '../storage/restore.ts'
import { withDatabase } from './database-command.ts'
import type { CommonOptions } from './main.ts'
import { print, printJson } from './output.ts'

export async function restoreCommand(file: string, { json }: CommonOptions): Promise<void> {
  const { rows } = await withDatabase((database) => readBackup(database, file, systemClock))
  if (json) printJson({ file, rows })
  else print(`Restored ${rows} rows from ${file}.`)
}
