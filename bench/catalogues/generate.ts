// Generates a catalogue on disk: the database as real writes would have left it, the same watches as NDJSON, and an API
// key. Also a command: `node bench/catalogues/generate.ts 1000000 DIRECTORY`.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { finished } from 'node:stream/promises'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { watchJson, watchText } from '../../src/catalogue/watches.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { type GeneratedBrand, generateBrands } from './generated-brands.ts'
import { type GeneratedWatch, watchGenerator } from './generated-watch.ts'

const transactionRows = 50_000
const ndjsonChunkRows = 1_000
const watchesMax = 10_000_000
const brandsAt = '2026-01-01T00:00:00.000Z'

/** The files of a generated catalogue; its directory is a DATA_DIR as well. */
export function filesIn(directory: string) {
  return {
    database: path.join(directory, 'watchdata.sqlite'),
    ndjson: path.join(directory, 'watches.ndjson'),
    key: path.join(directory, 'key'),
  }
}

export async function generateCatalogue(count: number, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const files = filesIn(directory)
  const key = await prepareDatabase(directory)
  const brands = await generateBrands()
  const raw = new DatabaseSync(files.database)
  const ndjson = createWriteStream(files.ndjson)
  try {
    // If this process dies, the whole catalogue is discarded, so the writes need not be durable.
    raw.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144')
    const putIndexesBack = takeIndexesAway(raw)
    insertBrands(raw, brands)
    const insert = watchInserter(raw, brands.length)
    const watchAt = watchGenerator(brands)
    let lines = ''
    raw.exec('BEGIN')
    for (let id = 1; id <= count; id++) {
      const watch = watchAt(id)
      const specs = JSON.stringify(watch.specs)
      insert(watch, specs)
      lines += `${watchText(watchJson({ ...watch, specs }, watch.brand))}\n`
      if (id % transactionRows === 0) raw.exec('COMMIT; BEGIN')
      if (id % ndjsonChunkRows === 0 || id === count) {
        if (!ndjson.write(lines)) await once(ndjson, 'drain')
        lines = ''
      }
    }
    raw.exec(`UPDATE sequence SET value = ${brands.length + count}; COMMIT`)
    putIndexesBack()
    raw.exec('PRAGMA journal_mode = WAL')
  } finally {
    raw.close()
    ndjson.end()
    await finished(ndjson)
  }
  // Written last: its presence shows that the catalogue is complete.
  await writeFile(files.key, `${key}\n`, { mode: 0o600 })
}

/** Runs the migrations and creates an account; returns its API key. */
async function prepareDatabase(directory: string): Promise<string> {
  const config = parseConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    await migrate(database, systemClock)
    return await database.write(async (tx) => {
      const draft = { email: 'bench@localhost', name: 'Bench', plan: 'platinum' } as const
      return createKey(tx, systemClock, await createAccount(tx, systemClock, draft), 'bench')
    })
  } finally {
    await database.close()
  }
}

/** Drops the indexes and returns a function that creates them again: indexing all rows at once is faster. */
function takeIndexesAway(raw: DatabaseSync): () => void {
  const indexes = raw
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'watches' AND sql <> ''",
    )
    .all()
  for (const { name } of indexes) raw.exec(`DROP INDEX ${name}`)
  return () => {
    for (const { sql } of indexes) raw.exec(String(sql))
  }
}

function insertBrands(raw: DatabaseSync, brands: readonly GeneratedBrand[]): void {
  const insert = raw.prepare(
    'INSERT INTO brands (id, name, slug, country, founded_year, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const append = raw.prepare(
    "INSERT INTO changes (sequence, type, subject_id, at) VALUES (?, 'brand.created', ?, ?)",
  )
  for (const { id, name, slug, country, foundedYear } of brands) {
    insert.run(id, name, slug, country, foundedYear, brandsAt)
    append.run(id, id, brandsAt)
  }
}

/** Writes a watch and its change, as recordChanges would. */
function watchInserter(
  raw: DatabaseSync,
  changesBefore: number,
): (watch: GeneratedWatch, specs: string) => void {
  const insert = raw.prepare(
    `INSERT INTO watches (id, brand_id, collection, reference_number, retail_price_usd, current_market_price,
      specs, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const append = raw.prepare(
    "INSERT INTO changes (sequence, type, subject_id, at) VALUES (?, 'watch.created', ?, ?)",
  )
  return (watch, specs) => {
    const { id, brand_id, collection, reference_number, retail_price_usd, current_market_price } = watch
    insert.run(
      id,
      brand_id,
      collection,
      reference_number,
      retail_price_usd,
      current_market_price,
      specs,
      watch.updated_at,
    )
    append.run(changesBefore + id, id, watch.updated_at)
  }
}

if (import.meta.main) {
  const [count = '', directory = ''] = process.argv.slice(2)
  if (!/^[1-9]\d*$/.test(count) || Number(count) > watchesMax || directory === '') {
    process.stderr.write(
      `Usage: node bench/catalogues/generate.ts COUNT DIRECTORY (at most ${watchesMax} watches)\n`,
    )
    process.exitCode = 2
  } else await generateCatalogue(Number(count), path.resolve(directory))
}
