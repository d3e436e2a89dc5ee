// A backup is one state of the whole database, and restores into either engine: the same rows, a new epoch.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { changePrice } from '../../src/catalogue/prices.ts'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { deleteWatch, readWatchesAfter } from '../../src/catalogue/watches.ts'
import { getHead, readAfter, recordChanges } from '../../src/changes/log.ts'
import { writeBackup } from '../../src/storage/backup.ts'
import type { Database } from '../../src/storage/database.ts'
import { readBackup } from '../../src/storage/restore.ts'
import { createEngine, describeEachEngine, describeWithPostgres, type Engine } from '../engines.ts'
import { freshConfig, manualClock, openFresh, openUnmigrated } from '../open-database.ts'

const clock = manualClock()
const sample = await readSample()

async function openSample(engine: Engine): Promise<Database> {
  const { database } = await openFresh(engine)
  await recordChanges(database, clock, (tx, record) => loadSample(tx, clock, record, sample))
  return database
}

async function backupFile(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-backup-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return path.join(directory, 'backup')
}

async function contentsOf({ reader }: Database) {
  return {
    watches: await readWatchesAfter(reader, 0, 10_000),
    brands: await reader.selectFrom('brands').selectAll().orderBy('id').execute(),
    prices: await reader.selectFrom('prices').selectAll().orderBy('watch_id').orderBy('date').execute(),
    changes: await readAfter(reader, 0, 10_000),
    sequence: (await getHead(reader)).sequence,
  }
}

const removeWatch = (database: Database, id: number) =>
  recordChanges(database, clock, (tx, record) => deleteWatch(tx, record, id))

describeEachEngine('a backup', (engine) => {
  test('restores into a new database: the same contents, another epoch', async () => {
    const database = await openSample(engine)
    const file = await backupFile()
    const { rows } = await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(engine))
    expect(await readBackup(restored, file, clock)).toEqual({ rows })
    expect(await contentsOf(restored)).toEqual(await contentsOf(database))
    expect((await getHead(restored.reader)).epoch).not.toBe((await getHead(database.reader)).epoch)
  })

  test('remembers ids that were given and taken back', async () => {
    const database = await openSample(engine)
    const newest = (await contentsOf(database)).watches.at(-1)?.id ?? 0
    await removeWatch(database, newest)
    const file = await backupFile()
    await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(engine))
    await readBackup(restored, file, clock)
    await recordChanges(restored, clock, async (tx, record) => {
      const [brand] = sample.brands
      const watches = sample.watches.filter(({ brand: name }) => name === brand?.name).slice(0, 1)
      const renamed = { ...sample.brands[0], name: 'Other', slug: 'other' } as (typeof sample.brands)[0]
      await loadSample(tx, clock, record, {
        brands: [renamed],
        watches: watches.map((one) => ({ ...one, brand: 'Other' })),
      })
    })
    expect((await contentsOf(restored)).watches.at(-1)?.id).toBe(newest + 1)
  })

  test('taken while writers go on is one state: every watch with its log and its prices', async () => {
    const database = await openSample(engine)
    const writing = new AbortController()
    const writer = (async () => {
      for (let id = 1; !writing.signal.aborted; id = (id % 300) + 1) {
        await recordChanges(database, clock, (tx, record) => {
          const next = { retail_price_usd: Math.random(), current_market_price: Math.random() }
          return changePrice(tx, clock, record, { watchId: id, source: 'writer', ...next })
        })
      }
    })()
    const file = await backupFile()
    await writeBackup(database, file)
    writing.abort()
    await writer
    const restored = await openUnmigrated(await freshConfig(engine))
    await readBackup(restored, file, clock)
    const { watches, prices, changes, sequence } = await contentsOf(restored)
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

  test('goes only into an empty database', async () => {
    const database = await openSample(engine)
    const file = await backupFile()
    await writeBackup(database, file)
    const before = await contentsOf(database)
    await expect(readBackup(database, file, clock)).rejects.toThrow(/not empty.*DATA_DIR or DATABASE_URL/)
    expect(await contentsOf(database)).toEqual(before)
  })

  test('that is cut short, altered or something else restores nothing', async () => {
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
      await expect(readBackup(restored, file, clock), damage).rejects.toThrow(/damaged|not a backup/)
      expect(await restored.reader.introspection.getTables(), damage).toEqual([])
    }
    await writeFile(file, whole)
    await readBackup(restored, file, clock)
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
    [sqlite, postgres],
    [postgres, sqlite],
  ])('$0.name → $1.name has the same contents', async (from, to) => {
    const database = await openSample(from)
    await removeWatch(database, 5)
    const file = await backupFile()
    await writeBackup(database, file)
    const restored = await openUnmigrated(await freshConfig(to))
    await readBackup(restored, file, clock)
    expect(await contentsOf(restored)).toEqual(await contentsOf(database))
  })
})
