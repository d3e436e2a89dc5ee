// Guarantees about exports: one state of the catalogue, in every format, that the import reads back byte for byte.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readBrands } from '../../src/catalogue/brands.ts'
import { type ExportSubject, exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { exportChunks } from '../../src/catalogue/export/export-table.ts'
import { readExportText } from '../../src/catalogue/export/export-text.ts'
import { exportWatches } from '../../src/catalogue/export/export-watches.ts'
import { pricesRows } from '../../src/catalogue/prices.ts'
import { readSample } from '../../src/catalogue/sample.ts'
import { deleteWatches, readWatchesAfter, watchJson, watchText } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { openRecords } from '../../src/files/open-records.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import type { Draft } from '../../src/imports/drafts/draft.ts'
import { openDrafts } from '../../src/imports/drafts/open-drafts.ts'
import type { Database } from '../../src/storage/database.ts'
import { writeRows } from '../../src/storage/write-rows.ts'
import { setPriceWithin } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { freshConfig, openFresh, openUnmigrated } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'
import { storeCatalogue } from '../search/stored-catalogue.ts'
import { hostileCatalogue } from './hostile-watches.ts'

const clock = manualClock()
const sample = await readSample()

const header =
  'id brand collection reference_number retail_price_usd current_market_price specs_order updated_at'.split(
    ' ',
  )

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-export-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function exportTo(database: Database, of: ExportSubject, file: string) {
  return exportCatalogue(database, of, file, parseOutputFormat(file, undefined))
}

async function openSample(engine: Engine): Promise<Database> {
  return openUnmigrated(await freshConfig(engine, 'sample'))
}

/** The watches of the catalogue, as the import should read them. */
async function storedDrafts(database: Database): Promise<Omit<Draft, 'line'>[]> {
  const names = new Map((await readBrands(database.reader)).map(({ id, name }) => [id, name]))
  return (await readWatchesAfter(database.reader, 0, 10_000)).map(({ brand_id, ...row }) => ({
    ...row,
    brand: names.get(brand_id) as string,
    isWhole: true,
  }))
}

/** The watches of a file, as the import reads them. */
async function readDrafts(file: string): Promise<Omit<Draft, 'line'>[]> {
  const { start, batches } = await openDrafts(file, {
    read: {},
    map: undefined,
    rates: new Map(),
    currency: undefined,
    brand: undefined,
  })
  const drafts: Omit<Draft, 'line'>[] = []
  for await (const batch of batches()) {
    expect(batch.rejects).toEqual([])
    drafts.push(...batch.drafts.map(({ line: _, specKeys: __, ...draft }) => draft))
  }
  if (drafts.length > 0) expect(start.isExport).toBe(true)
  return drafts
}

/** Each record as an object from column to cell. */
async function readObjects(file: string): Promise<Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = []
  for await (const { columns, records } of (await openRecords(file, {})).batches()) {
    for (const { columns: numbers, cells } of records) {
      objects.push(Object.fromEntries(cells.map((cell, at) => [columns[numbers[at] as number], cell])))
    }
  }
  return objects
}

describeEachEngine('an export of watches', (engine) => {
  test.each(['csv', 'parquet', 'csv.gz', 'csv.zst'])(
    'as %s is read back by the import byte for byte, for any catalogue',
    async (ending) => {
      const { database } = await openFresh(engine)
      const file = path.join(await newDirectory(), `a.${ending}`)
      await fc.assert(
        fc.asyncProperty(hostileCatalogue, async (catalogue) => {
          await storeCatalogue(database, catalogue)
          await exportTo(database, 'watches', file)
          expect(await readDrafts(file)).toEqual(await storedDrafts(database))
        }),
        { numRuns: ending.includes('.') ? runs(5, 10) : runs(30, 80) },
      )
    },
  )

  test('as NDJSON has a line for each watch, as the API returns it', async () => {
    const { database } = await openFresh(engine)
    const file = path.join(await newDirectory(), 'a.ndjson')
    await fc.assert(
      fc.asyncProperty(hostileCatalogue, async (catalogue) => {
        await storeCatalogue(database, catalogue)
        const { rows, bytes } = await exportTo(database, 'watches', file)
        const brands = new Map((await readBrands(database.reader)).map(({ id, name }) => [id, name]))
        const watches = await readWatchesAfter(database.reader, 0, 10_000)
        const lines = watches.map((row) => watchText(watchJson(row, brands.get(row.brand_id) as string)))
        const written = await readFile(file, 'utf8')
        expect(written).toBe(lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''))
        expect([rows, bytes]).toEqual([watches.length, Buffer.byteLength(written)])
      }),
      { numRuns: runs(20, 40) },
    )
  })

  test('as CSV has a cell for each spec of each watch, and the order of keys where it is another', async () => {
    const database = await openSample(engine)
    const file = path.join(await newDirectory(), 'a.csv')
    await exportTo(database, 'watches', file)
    const rows = await readObjects(file)
    const specs = (await storedDrafts(database)).map((draft) => JSON.parse(draft.specs))
    rows.forEach((row, at) => {
      const filled = Object.keys(row).filter((name) => name.startsWith('specs.') && row[name] !== '')
      expect(filled.sort()).toEqual(
        Object.keys(specs[at])
          .map((key) => `specs.${key}`)
          .sort(),
      )
      if (row.specs_order !== '')
        expect(JSON.parse(row.specs_order as string)).toEqual(Object.keys(specs[at]))
    })
    expect(rows.filter(({ specs_order }) => specs_order !== '').length).toBeLessThan(rows.length / 10)
    const columns = Object.keys(rows[0] ?? {})
    expect([...columns.slice(0, 8), ...columns.slice(-2)]).toEqual([
      ...header.slice(0, 6),
      'specs.movement_type',
      'specs.case_material',
      'specs_order',
      'updated_at',
    ])
    expect(await readDrafts(file)).toEqual(await storedDrafts(database))
  })

  test('as CSV has no cell that a spreadsheet would run as a formula', async () => {
    const { database } = await openFresh(engine)
    const file = path.join(await newDirectory(), 'a.csv')
    await fc.assert(
      fc.asyncProperty(hostileCatalogue, async (catalogue) => {
        await storeCatalogue(database, catalogue)
        await exportTo(database, 'watches', file)
        const cells = (await readObjects(file)).flatMap(Object.values) as string[]
        for (const cell of cells) {
          if (!/^-\d[\d.e+-]*$/.test(cell)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r]/)
        }
      }),
      { numRuns: runs(15, 30) },
    )
  })

  test('as CSV has at most 1,000 columns of specs; other keys have their values in specs_order', async () => {
    const { database } = await openFresh(engine)
    const watch = { brand: 0, step: 1, collection: '', retail_price_usd: null, current_market_price: null }
    const watches = Array.from({ length: 1_300 }, (_, at) => ({
      ...watch,
      reference_number: `${at}`,
      specs: `{"often":1,"key_${at}":"x"}`,
      updated_at: '2026-03-01T00:00:00.000Z',
    }))
    await storeCatalogue(database, { brands: [{ name: 'A', slug: 'a', aliases: [] }], watches })
    const file = path.join(await newDirectory(), 'a.csv')
    await exportTo(database, 'watches', file)
    const rows = await readObjects(file)
    expect(Object.keys(rows[0] ?? {}).length).toBe(1_008)
    expect(rows.filter(({ specs_order }) => specs_order === '').length).toBe(999)
    expect(rows.every((row) => row['specs.often'] === '1')).toBe(true)
    expect(rows.at(-1)?.specs_order).toBe('["often",{"key_1299":"x"}]')
    expect(await readDrafts(file)).toEqual(await storedDrafts(database))
  })

  test.each(['ndjson', 'csv', 'parquet'] as const)(
    'as %s is one state, while others write',
    async (format) => {
      const database = await openSample(engine)
      const pages = async (between: () => Promise<void>) =>
        database.snapshot(async (view) => {
          const table = await exportWatches(view)
          const written: Buffer[] = []
          const chunks = exportChunks(table, format, () => {})
          const add = (chunk: string | Uint8Array) => written.push(Buffer.from(chunk as string))
          // The state is fixed by the first read of the database.
          add((await chunks.next()).value ?? '')
          await between()
          for await (const chunk of chunks) add(chunk)
          return Buffer.concat(written)
        })
      const before = await pages(async () => {})
      const during = await pages(async () => {
        await recordChanges(database, clock, async (tx, record) => {
          await deleteWatches(tx, record, [sample.watches.length - 1])
          const price = { retail_price_usd: 1, current_market_price: 2 }
          await setPriceWithin({ tx, record, database, clock }, 1, price)
          await tx.updateTable('brands').set({ name: 'Renamed' }).where('id', '=', 1).execute()
          await tx.updateTable('watches').set({ specs: '{"new_key":1}' }).where('id', '=', 2).execute()
        })
      })
      expect(during.equals(before)).toBe(true)
      expect((await pages(async () => {})).equals(before)).toBe(false)
    },
  )

  test('of an empty catalogue has only a header, or nothing', async () => {
    const { database } = await openFresh(engine)
    const directory = await newDirectory()
    for (const [ending, text] of Object.entries({ ndjson: '', csv: `\ufeff${header.join()}\r\n` })) {
      const file = path.join(directory, `a.${ending}`)
      expect(await exportTo(database, 'watches', file)).toEqual({ rows: 0, bytes: Buffer.byteLength(text) })
      expect(await readFile(file, 'utf8')).toBe(text)
    }
    await exportTo(database, 'watches', path.join(directory, 'a.parquet'))
    expect(await readObjects(path.join(directory, 'a.parquet'))).toEqual([])
  })
})

describeEachEngine('an export of brands and prices', (engine) => {
  test('has every field of the brands, in every format', async () => {
    const { database } = await openFresh(engine)
    const directory = await newDirectory()
    await fc.assert(
      fc.asyncProperty(hostileCatalogue, async (catalogue) => {
        await storeCatalogue(database, catalogue)
        const set = { country: 'Switzerland', founded_year: 1848, website: 'https://x.example' }
        await database.write((tx) => tx.updateTable('brands').set(set).where('name', '=', 'Omega').execute())
        const stored = await readBrands(database.reader)
        const brands = stored.map((row) => ({ ...row, aliases: JSON.parse(row.aliases) }))
        for (const ending of ['ndjson', 'parquet', 'csv']) {
          const file = path.join(directory, `brands.${ending}`)
          expect((await exportTo(database, 'brands', file)).rows).toBe(brands.length)
          const read = (await readObjects(file)).map((row) => (ending === 'csv' ? brandOfCells(row) : row))
          expect(read.map((row) => ({ ...row, id: Number(row.id) }))).toEqual(brands)
        }
      }),
      { numRuns: 5 },
    )
  })

  test('has the whole history of prices, in order, in every format', async () => {
    const database = await openSample(engine)
    // More than a page, also for one watch.
    const lines = Array.from({ length: 1_500 }, (_, day) => {
      const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)
      const retail = day % 3 === 0 ? null : day + 0.5
      return [day % 2 === 0 ? 7 : 8, date, retail, null, day % 5 === 0 ? '=evil' : 'list, 2020']
    })
    await database.write((tx) => writeRows(tx, database.engine, pricesRows, lines))
    const stored = await database.reader
      .selectFrom('prices')
      .selectAll()
      .orderBy('watch_id')
      .orderBy('date')
      .execute()
    const directory = await newDirectory()
    for (const ending of ['ndjson', 'parquet', 'csv']) {
      const file = path.join(directory, `prices.${ending}`)
      expect((await exportTo(database, 'prices', file)).rows).toBe(stored.length)
      const read = (await readObjects(file)).map((row) => ({
        ...row,
        watch_id: Number(row.watch_id),
        retail_price_usd: numberIn(row.retail_price_usd),
        current_market_price: numberIn(row.current_market_price),
        source: ending === 'csv' ? readExportText(row.source as string) : row.source,
      }))
      expect(read).toEqual(stored)
    }
  })
})

function brandOfCells(row: Record<string, unknown>): Record<string, unknown> {
  const text = (field: string) => readExportText(row[field] as string) || null
  return {
    ...row,
    name: text('name'),
    slug: text('slug'),
    aliases: JSON.parse(row.aliases as string),
    country: text('country'),
    founded_year: numberIn(row.founded_year),
    website: text('website'),
  }
}

function numberIn(cell: unknown): number | null {
  return cell === '' || cell === null ? null : Number(cell)
}
