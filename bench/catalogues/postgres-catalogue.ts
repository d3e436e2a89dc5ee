// Copies a generated catalogue to a PostgreSQL cluster of its own, which is removed when the benchmark stops it.
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { startPostgres } from '../../test/programs/postgres.ts'
import { tellStep } from '../measure/report.ts'
import { filesIn } from './generate.ts'
import type { Catalogue } from './kept-catalogues.ts'

export interface PostgresCatalogue {
  readonly url: string
  readonly database: Database
  stop(): Promise<void>
}

const tables = ['brands', 'watches', 'changes', 'accounts', 'api_keys']
const insertRows = 5_000

export async function copyToPostgres(catalogue: Catalogue): Promise<PostgresCatalogue> {
  // As in production: every commit is on disk.
  const postgres = await startPostgres({ durable: true })
  if (!postgres.available) throw new Error(`this benchmark needs PostgreSQL: ${postgres.reason}`)
  const config = parseConfig({
    DATABASE_URL: postgres.address,
    DATA_DIR: catalogue.directory,
    LOG_LEVEL: 'silent',
  })
  try {
    const database = await openDatabase(config, openLog(config))
    await migrate(database, systemClock)
    tellStep(`copying ${catalogue.count} watches to PostgreSQL …`)
    await copyTables(database, filesIn(catalogue.directory).database)
    return {
      url: postgres.address,
      database,
      stop: async () => {
        await database.close()
        await postgres.stop()
      },
    }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function copyTables(database: Database, file: string): Promise<void> {
  const raw = new DatabaseSync(file, { readOnly: true })
  try {
    await database.write(async (tx) => {
      for (const name of tables) {
        const table = sql.table(name)
        const insert = (rows: readonly object[]) =>
          sql`insert into ${table} overriding system value
            select * from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`.execute(tx)
        let rows: object[] = []
        for (const row of raw.prepare(`SELECT * FROM ${name}`).iterate()) {
          rows.push(row)
          if (rows.length < insertRows) continue
          await insert(rows)
          rows = []
        }
        await insert(rows)
      }
      const value = Number(raw.prepare('SELECT value FROM sequence').get()?.value)
      await tx.updateTable('sequence').set({ value }).execute()
    })
    await sql`analyze`.execute(database.reader)
  } finally {
    raw.close()
  }
}
