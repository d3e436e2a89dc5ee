// What the commands on a database share: settings, a log for warnings, the database opened and closed again.
import { type Config, parseConfig } from '../config.ts'
import { type Log, openLog } from '../log.ts'
import { type Database, openDatabase } from '../storage/database.ts'

export async function withDatabase<T>(
  work: (database: Database, config: Config, log: Log) => Promise<T>,
): Promise<T> {
  const config = parseConfig(process.env)
  const log = await openLog(config, { write: (line) => void process.stderr.write(line) })
  const database = await openDatabase(config, log)
  try {
    return await work(database, config, log)
  } finally {
    await database.close()
  }
}
