// The baseline of the import benchmark: prepared inserts of the same rows into the same table, in transactions of
// the same size and durability, and nothing else. Times only the inserts, not the reading of the rows, and prints
// milliseconds. Usage: `node bench/baselines/bare-inserts.ts DATA_DIR NDJSON ROWS_PER_TRANSACTION`.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { filesIn } from '../catalogues/generate.ts'

type Row = (string | number | null)[]

const [dataDir = '', file = '', perTransaction = ''] = process.argv.slice(2)
const raw = new DatabaseSync(filesIn(dataDir).database)
// The same pragmas as the service sets.
raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
raw.exec('PRAGMA journal_size_limit = 67108864')
const insert = raw.prepare(
  `INSERT INTO watches (brand_id, collection, reference_number, retail_price_usd, current_market_price, specs,
    updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
)
const brands = new Map<string, number>()
let spentMs = 0
let rows: Row[] = []
for await (const line of createInterface({ input: createReadStream(file) })) {
  rows.push(toRow(JSON.parse(line)))
  if (rows.length < Number(perTransaction)) continue
  insertAll(rows)
  rows = []
}
insertAll(rows)
raw.close()
process.stdout.write(`${spentMs}\n`)

function insertAll(batch: readonly Row[]): void {
  const startedMs = performance.now()
  raw.exec('BEGIN IMMEDIATE')
  for (const row of batch) insert.run(...row)
  raw.exec('COMMIT')
  spentMs += performance.now() - startedMs
}

function toRow(watch: Record<string, string | number | null>): Row {
  const { collection, reference_number, retail_price_usd, current_market_price, specs } = watch
  const fields = [collection, reference_number, retail_price_usd, current_market_price] as Row
  return [brandId(String(watch.brand)), ...fields, JSON.stringify(specs), '2026-11-15T12:00:00.000Z']
}

function brandId(name: string): number {
  const known = brands.get(name)
  if (known !== undefined) return known
  const made = raw
    .prepare('INSERT INTO brands (name, slug, updated_at) VALUES (?, ?, ?)')
    .run(name, `b-${brands.size}`, '2026-11-15T12:00:00.000Z')
  brands.set(name, Number(made.lastInsertRowid))
  return Number(made.lastInsertRowid)
}
