// Past bugs of imports.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { getHead } from '../../src/changes/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { type ImportSetting, importFiles } from '../catalogue/import-files.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'

/** More than two batches. */
const many = runs(2_100, 10_000)

describeEachEngine('an import', (engine) => {
  test('finds the watches that an earlier file of the same run created, however many there are', async () => {
    const parts = await openFresh(engine)
    const files = { 'a.csv': manyRows('price', 100), 'b.csv': manyRows('msrp', 200) }
    expect(await importFiles(parts, files)).toMatchObject({ created: many, updated: many, unchanged: 0 })
    const { sequence } = await getHead(parts.database.reader)
    expect(await importFiles(parts, files)).toMatchObject({ created: 0, updated: 0, unchanged: 2 * many })
    expect((await getHead(parts.database.reader)).sequence).toBe(sequence)
  })

  test('finds a brand it created also by slug, in any batch', async () => {
    for (const between of [0, 1_500]) {
      const parts = await openFresh(engine)
      const filler = Array.from({ length: between }, (_, at) => `Omega,F${at}`)
      const rows = ['TAG Heuer,X1', ...filler, 'tag-heuer,X2', 'TAG HEUER,X3']
      const file = { 'a.csv': `brand,reference\n${rows.join('\n')}\n` }
      const brands = between === 0 ? 1 : 2
      expect(await importFiles(parts, file)).toMatchObject({ created: rows.length, brandsCreated: brands })
      expect(await importFiles(parts, file)).toMatchObject({ unchanged: rows.length, rejected: 0 })
    }
  })

  test('finds a brand without its accents and punctuation, but keeps the brands of an export apart', async () => {
    const parts = await openFresh(engine)
    const names = ['A. Lange & Söhne', 'A.Lange & Sohne', 'A LANGE UND SÖHNE', 'Jaeger LeCoultre']
    const more = ['JAEGER-LECOULTRE', 'Jaeger', 'TAG-Heuer', 'TAG Heuer']
    const umlauts = ['Glashuette Original', 'Glashütte Original']
    const rows = [...names, ...more, ...umlauts].map((name, at) => `${name},R${at}`)
    const file = { 'a.csv': `brand,reference\n${rows.join('\n')}\n` }
    expect(await importFiles(parts, file)).toMatchObject({ created: 10, brandsCreated: 5, rejected: 0 })
    expect(await importFiles(parts, file)).toMatchObject({ unchanged: 10, rejected: 0 })
    const exported = await exportedCsv(parts.database)
    const apart = { 'b.csv': exported.replace('Jaeger,', 'Jaeger-Le Coultre,') }
    const other = await openFresh(engine)
    expect(await importFiles(other, apart)).toMatchObject({ created: 10, brandsCreated: 5, rejected: 0 })
    expect(await importFiles(other, apart)).toMatchObject({ unchanged: 10 })
  })

  test('leaves out rows that repeat the names of the columns, and bare beat rates are no hertz', async () => {
    const parts = await openFresh(engine)
    const rows = 'Brand,Reference,Year,Frequency'
    const file = `${rows}\nOmega,A1,1965,28800\n${rows}\nOmega,A2,1970,4\n`
    const summary = await importFiles(parts, { 'a.csv': file })
    expect(summary).toMatchObject({ created: 2, rejected: 1, brandsCreated: 1 })
    expect(summary.left[0]).toMatchObject({ line: 3, reason: 'The row repeats the names of the columns.' })
    const specs = await parts.database.reader.selectFrom('watches').select('specs').orderBy('id').execute()
    expect(specs.map((row) => JSON.parse(row.specs))).toEqual([
      { year: 1965, frequency: '28800 vph' },
      { year: 1970, frequency: 4 },
    ])
  })

  test('keeps watches without a reference apart by another key, and restores them from an export', async () => {
    const parts = await openFresh(engine)
    const rows = 'brand,sku,price\nOmega,A1,100\nOmega,A2,200\nOmega,A3,\nOmega,A3,5\n'
    await expect(importFiles(parts, { 'a.csv': rows })).rejects.toThrow(
      /no column that is named like a key tells the rows apart: sku is different in only 3 of 4 rows/,
    )
    const key = { spec: 'sku' }
    expect(await importFiles(parts, { 'a.csv': rows }, { key })).toMatchObject({ created: 3, repeated: 1 })
    expect(await importFiles(parts, { 'a.csv': rows }, { key })).toMatchObject({ unchanged: 3, repeated: 1 })
    const named = 'brand,sku,reference\nOmega,A3,311.30\n'
    expect(await importFiles(parts, { 'b.csv': named }, { key })).toMatchObject({ updated: 1 })
    expect(await importFiles(parts, { 'a.csv': rows }, { key })).toMatchObject({ unchanged: 3 })
    expect(await references(parts.database)).toEqual(['', '', '311.30'])
    const exported = { 'c.csv': await exportedCsv(parts.database) }
    expect(await importFiles(parts, exported)).toMatchObject({ unchanged: 3, rejected: 0 })
    const restored = await openFresh(engine)
    expect(await importFiles(restored, exported)).toMatchObject({ created: 3, rejected: 0 })
    expect(await exportedCsv(restored.database)).toBe(exported['c.csv'])
    const edited = { 'd.csv': exported['c.csv'].replace(',200,', ',201,') }
    expect(await importFiles(restored, edited)).toMatchObject({ updated: 1, unchanged: 2 })
    // The watch has changed since the export, and nothing but its id tells that it is the same.
    expect(await importFiles(restored, exported)).toMatchObject({ rejected: 1, unchanged: 2, created: 0 })
  })

  test('prunes nothing for a file without watches', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': 'brand,reference\nRolex,1\n' })
    for (const [name, contents] of [
      ['a.csv', 'brand,reference\n'],
      ['b.csv', 'brand,reference,price\n,,\n'],
    ] as const) {
      const summary = await importFiles(parts, { [name]: contents }, { prune: async () => {} })
      expect(summary.pruneRefusal).toMatch(/has no watch/)
    }
    expect(await references(parts.database)).toEqual(['1'])
  })

  test('gives a new watch the id of its row only if that id is free', async () => {
    const parts = await openFresh(engine)
    const key = { spec: 'sku' }
    await importFiles(parts, { 'a.csv': 'id,brand,reference_number,sku\n1,Rolex,1,A\n' }, { key })
    const rows = 'id,brand,reference_number,sku\n1,Rolex,2,B\n7,Rolex,3,C\n7,Rolex,4,D\n'
    expect(await importFiles(parts, { 'b.csv': rows }, { key })).toMatchObject({ created: 3, rejected: 0 })
    expect(await references(parts.database)).toHaveLength(4)
    const again = await importFiles(parts, { 'b.csv': rows }, { key })
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
  })

  test('treats an edited brand or reference in an export as an edit of the watch', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': 'brand,reference,price\nPanerai,PAM1,5\nRolex,12,6\n' })
    const exported = await exportedCsv(parts.database)
    const edited = exported.replace('PAM1', 'PAM00001').replace('Rolex', 'Tudor')
    const later = { ...parts, clock: manualClock('2026-09-01T00:00:00.000Z') }
    expect(await importFiles(later, { 'a.csv': edited })).toMatchObject({ created: 0, updated: 2 })
    expect(await references(parts.database)).toEqual(['PAM00001', '12'])
    expect(await importFiles(later, { 'a.csv': edited })).toMatchObject({ updated: 0, unchanged: 2 })
  })

  test('reports on a dry run exactly what a real run does, also for several files', async () => {
    const files = {
      'a.csv': 'brand,reference,price\nRolex,1,100\nRolex,2,200\nRolex,2,300\nTudor,1,EUR 5\nTudor,,5\n',
      'b.csv': 'brand,reference,crystal\nrolex,1,Sapphire\nRolex,2,\nOmega,9,Hesalite\n',
      'c.csv': 'brand,reference,crystal\nrolex,1,Sapphire\nRolex,2,Mineral\n',
    }
    const parts = await openFresh(engine)
    const run = async (setting: ImportSetting) => {
      const { starts: _, left, changes: __, ...counts } = await importFiles(parts, files, setting)
      return { ...counts, left: left.length }
    }
    const tried = await run({ isDryRun: true })
    expect(tried).toMatchObject({ created: 4, updated: 2, unchanged: 2, rejected: 1, repeated: 1, cells: 1 })
    expect(await run({})).toEqual({ ...tried, run: 1 })
  })

  test('treats nested values whose keys differ only in order as equal', async () => {
    const parts = await openFresh(engine)
    const line = (specs: string) => `{"brand":"Rolex","reference":"1","specs":{"case":${specs}}}\n`
    await importFiles(parts, { 'a.ndjson': line('{"a":1,"b":[2,{"c":3,"d":4}]}') })
    const again = await importFiles(parts, { 'a.ndjson': line('{"b":[2,{"d":4,"c":3}],"a":1}') })
    expect(again).toMatchObject({ updated: 0, unchanged: 1 })
  })

  test('rejects a --key that no column provides, once', async () => {
    const parts = await openFresh(engine)
    const file = { 'a.csv': 'brand,reference,SKU\nRolex,1,A\n' }
    await expect(importFiles(parts, file, { key: { spec: 'SKU' } })).rejects.toThrow(
      /did you mean --key sku\?/,
    )
    await expect(importFiles(parts, file, { key: 'id' })).rejects.toThrow(
      /becomes id or specs\.id, which --key/,
    )
  })

  test('says at once that no row fits under the header, and why', async () => {
    const parts = await openFresh(engine)
    const file = { 'a.csv': 'Brand,UPC,Images,Price\nDiesel,698615147236,a.jpg,b.jpg,242.96\n' }
    await expect(importFiles(parts, file)).rejects.toThrow(
      /no row that fits under its header\. Line 2 has 5 cells, and the header has 4: a cell that contains the delimiter needs quotes/,
    )
  })

  test('takes --key id for the column of a file that has ids of its own', async () => {
    const parts = await openFresh(engine)
    const rows = [
      { id: 'w1', brand: 'Omega', reference: 'CK2913' },
      { id: 'w2', brand: 'Omega', reference: '' },
    ]
    const file = { 'a.json': JSON.stringify(rows) }
    expect(await importFiles(parts, file, { key: 'id' })).toMatchObject({ created: 2, rejected: 0 })
    expect(await importFiles(parts, file, { key: { spec: 'id' } })).toMatchObject({ unchanged: 2 })
    const ours = { 'b.csv': 'id,brand,reference,retail_price_usd\n1,Omega,CK2913,5\n' }
    expect(await importFiles(parts, ours, { key: 'id' })).toMatchObject({ updated: 1 })
    await expect(importFiles(parts, { ...file, ...ours }, { key: 'id' })).rejects.toThrow(
      /import them one by one/,
    )
  })
})

function manyRows(column: string, price: number): string {
  const rows = Array.from({ length: many }, (_, at) => `Rolex,R${at},${price}`)
  return `brand,reference,${column}\n${rows.join('\n')}\n`
}

async function references(database: Database): Promise<string[]> {
  const rows = await database.reader.selectFrom('watches').select('reference_number').orderBy('id').execute()
  return rows.map(({ reference_number }) => reference_number)
}

async function exportedCsv(database: Database): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-cases-'))
  try {
    const file = path.join(directory, 'a.csv')
    await exportCatalogue(database, 'watches', file, { format: 'csv', compression: undefined })
    return await readFile(file, 'utf8')
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
