// Tests backups: one state of the whole database, which restores into either engine with the same rows and a new
// epoch.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { readWatchesAfter } from '../../src/catalogue/watches.ts'
import { getHead, readAfter, recordChanges } from '../../src/changes/log.ts'
import { writeBackup } from '../../src/storage/backup.ts'
import type { Database } from '../../src/storage/database.ts'
import { openBackup, restoreBackup } from '../../src/storage/restore.ts'
import { listTables } from '../../src/storage/tables.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine, describeEachEngine, describeWithPostgres, type Engine } from '../databases/engines.ts'
import { freshConfig, openFresh, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'

const clock = manualClock()
const sample = await readSample()

async function openSample(engine: Engine): Promise<Database> {
  const { database } = await openFresh(engine)
  await recordChanges(database, clock, async (tx, record) => {
    await loadSample(tx, clock, record, sample)
    await createKey(
      tx,
      clock,
      await createAccount(tx, clock, { email: 'a@b.c', name: 'A', plan: 'pro' }),
      'first',
    )
  })
  return database
}

async function backupFile(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-backup-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return path.join(directory, 'backup')
}

/** Every row of every table, except what a restore creates anew. */
async function contentsOf(database: Database): Promise<Record<string, unknown[]>> {
  const reader = database.reader.$extendTables<Record<string, Record<string, unknown>>>()
  const contents: Record<string, unknown[]> = {}
  for (const table of await listTables(database, database.reader)) {
    if (table === 'epoch' || table === 'migrations') continue
    const rows = await reader.selectFrom(table).selectAll().execute()
    contents[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return contents
}

const newestWatch = async ({ reader }: Database) =>
  (await readWatchesAfter(reader, 0, 10_000)).at(-1)?.id ?? 0

async function restore(database: Database, file: string): Promise<{ rows: number }> {
  return restoreBackup(database, await openBackup(file), clock)
}

describeEachEngine('a backup', (engine) => {
  test('restores into a new database: the same contents, another epoch', async () => {
    const database = await openSample(engine)
    const file = await backupFile()
    const { rows } = await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(engine))
    expect(await restore(restored, file)).toEqual({ rows })
    expect(await contentsOf(restored)).toEqual(await contentsOf(database))
    expect((await getHead(restored.reader)).epoch).not.toBe((await getHead(database.reader)).epoch)
  })

  test('preserves the id sequence, so that ids of deleted rows are not reused', async () => {
    const database = await openSample(engine)
    const newest = await newestWatch(database)
    await removeWatch(database, clock, newest)
    const file = await backupFile()
    await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(engine))
    await restore(restored, file)
    await recordChanges(restored, clock, async (tx, record) => {
      const [brand] = sample.brands
      const watches = sample.watches.filter(({ brand: name }) => name === brand?.name).slice(0, 1)
      const renamed = { ...sample.brands[0], name: 'Other', slug: 'other' } as (typeof sample.brands)[0]
      await loadSample(tx, clock, record, {
        brands: [renamed],
        watches: watches.map((one) => ({ ...one, brand: 'Other' })),
      })
    })
    expect(await newestWatch(restored)).toBe(newest + 1)
  })

  test('taken while writers run is one state: every watch with its log and its prices', async () => {
    const database = await openSample(engine)
    const writing = new AbortController()
    const writer = (async () => {
      for (let id = 1; !writing.signal.aborted; id = (id % 300) + 1) {
        await setPrice(database, clock, id, {
          retail_price_usd: Math.random(),
          current_market_price: Math.random(),
        })
      }
    })()
    const before = (await getHead(database.reader)).sequence
    const isWriting = async () => expect((await getHead(database.reader)).sequence).toBeGreaterThan(before)
    await vi.waitFor(isWriting, patience)
    const file = await backupFile()
    await writeBackup(database, file)
    await database.write(async () => {})
    writing.abort()
    await writer
    const restored = await openUnmigrated(await freshConfig(engine))
    await restore(restored, file)
    const { sequence } = await getHead(restored.reader)
    const changes = await readAfter(restored.reader, 0, 100_000)
    const watches = await readWatchesAfter(restored.reader, 0, 10_000)
    const prices = await restored.reader.selectFrom('prices').selectAll().execute()
    // The writer began before the backup and continued after it.
    expect(sequence).toBeGreaterThan(sample.watches.length + sample.brands.length)
    expect((await getHead(database.reader)).sequence).toBeGreaterThan(sequence)
    expect(changes.map((change) => change.sequence)).toEqual(
      Array.from({ length: sequence }, (_, index) => index + 1),
    )
    const lastPrice = new Map(
      changes.flatMap(({ subjectId, data }) => (data === undefined ? [] : [[subjectId, data]])),
    )
    for (const { id, retail_price_usd, current_market_price } of watches) {
      const change = lastPrice.get(id) as { new: object } | undefined
      if (change === undefined) continue
      expect(change.new).toEqual({ retail_price_usd, current_market_price })
      expect(prices).toContainEqual(
        expect.objectContaining({ watch_id: id, retail_price_usd, current_market_price }),
      )
    }
  })

  test('restores only into an empty database', async () => {
    const database = await openSample(engine)
    const file = await backupFile()
    await writeBackup(database, file)
    const before = await contentsOf(database)
    await expect(restore(database, file)).rejects.toThrow(/not empty.*DATA_DIR or DATABASE_URL/)
    expect(await contentsOf(database)).toEqual(before)
  })

  test('that is truncated, altered or not a backup restores nothing', async () => {
    const database = await openSample(engine)
    const file = await backupFile()
    const { bytes } = await writeBackup(database, file)
    const whole = await readFile(file)
    const lines = gunzipSync(whole).toString().split('\n')
    const damages: [string, () => Promise<void>][] = [
      ['cut short', () => truncate(file, bytes - 100)],
      ['without its end', () => writeFile(file, gzipSync(lines.slice(0, -2).join('\n')))],
      ['with a row lost', () => writeFile(file, gzipSync(lines.toSpliced(20, 1).join('\n')))],
      ['not zipped', () => writeFile(file, lines.join('\n'))],
      ['of another kind', () => writeFile(file, gzipSync('{"id":1}\n'))],
    ]
    const restored = await openUnmigrated(await freshConfig(engine))
    for (const [damage, apply] of damages) {
      await writeFile(file, whole)
      await apply()
      await expect(restore(restored, file), damage).rejects.toThrow(/damaged|not a backup/)
      expect(await restored.reader.introspection.getTables(), damage).toEqual([])
    }
    await writeFile(file, whole)
    await restore(restored, file)
    expect(await contentsOf(restored)).toEqual(await contentsOf(database))
  })

  test('that cannot be written leaves no file behind', async () => {
    const database = await openSample(engine)
    const file = path.join(await backupFile(), 'in', 'no', 'directory')
    await expect(writeBackup(database, file)).rejects.toThrow(/Cannot write the backup/)
    expect(existsSync(file)).toBe(false)
  })
})

describeWithPostgres('a backup between engines', (url) => {
  const [sqlite, postgres] = [createEngine(), createEngine(url)]
  test.each([
    { from: sqlite, to: postgres },
    { from: postgres, to: sqlite },
  ])('$from.name → $to.name has the same contents', async ({ from, to }) => {
    const database = await openSample(from)
    await removeWatch(database, clock, 5)
    const file = await backupFile()
    await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(to))
    await restore(restored, file)
    expect(await contentsOf(restored)).toEqual(await contentsOf(database))
  })
})
