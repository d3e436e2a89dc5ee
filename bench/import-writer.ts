// Imports generated watches into a database that another process is serving, as an import of the project's own
// would: transactions of a thousand rows with their changes. A program of its own:
// `node bench/import-writer.ts DATA_DIR FIRST COUNT`.
import { recordChanges } from '../src/changes/log.ts'
import { systemClock } from '../src/clock.ts'
import { parseConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { openDatabase } from '../src/storage/database.ts'
import { generateBrands } from './generated-brands.ts'
import { watchGenerator } from './generated-watch.ts'

const transactionRows = 1_000

const [dataDir = '', first = '', count = ''] = process.argv.slice(2)
const config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
const database = await openDatabase(config, openLog(config))
const watchAt = watchGenerator(await generateBrands())
const end = Number(first) + Number(count)
try {
  for (let start = Number(first); start < end; start += transactionRows) {
    const rows = Array.from({ length: Math.min(transactionRows, end - start) }, (_, offset) => {
      const { brand, id, specs, ...columns } = watchAt(start + offset)
      return { ...columns, specs: JSON.stringify(specs) }
    })
    await recordChanges(database, systemClock, async (tx, record) => {
      const ids = await tx.insertInto('watches').values(rows).returning('id').execute()
      for (const { id } of ids) record({ type: 'watch.created', subjectId: id })
    })
  }
} finally {
  await database.close()
}
