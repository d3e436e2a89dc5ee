// Guarantees about an export that was edited and is imported again, on both engines: only what was edited changes.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import type { Database } from '../../src/storage/database.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { undo } from '../catalogue/undo.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const watches = 'brand,reference,price,crystal\nOmega,A1,5000,Sapphire\nOmega,A2,6000,\n'

describeEachEngine('an edited export', (engine) => {
  test('takes nothing back that has changed since, unless the file is to win', async () => {
    const { parts, exported } = await openExported(engine)
    const later = { ...parts, clock: manualClock('2026-09-01T00:00:00.000Z') }
    await setPrice(parts.database, later.clock, 1, { retail_price_usd: null, current_market_price: 14_000 })
    const edited = exported
      .replace(/^(.*),specs_order/, '$1,Strap,specs_order')
      .replaceAll(/,(,20)/g, ',Steel,$1')
    expect(edited).not.toBe(exported)
    const refused = await importFiles(later, { 'b.csv': edited })
    expect(refused).toMatchObject({ updated: 1, unchanged: 0, created: 0, rejected: 1 })
    expect(refused.left).toMatchObject([
      { line: 2, reason: expect.stringContaining('changed on 2026-09-01') },
    ])
    expect(await pricesOf(parts.database)).toEqual([14_000, 6_000])
    // The first import of the file has changed the watch as well, but to what the file says.
    expect(await importFiles(later, { 'b.csv': edited })).toMatchObject({ unchanged: 1, rejected: 1 })
    const unedited = exported.replace(',5000,', ',14000,')
    expect(await importFiles(later, { 'c.csv': unedited })).toMatchObject({ unchanged: 2, rejected: 0 })
    expect(await importFiles(later, { 'b.csv': edited }, { isReplacing: true })).toMatchObject({ updated: 1 })
    expect(await pricesOf(parts.database)).toEqual([5_000, 6_000])
  })

  test('changes what was edited in it, and leaves what other imports have changed since', async () => {
    const { parts, exported } = await openExported(engine)
    const at = (day: number) => ({ ...parts, clock: manualClock(`2026-09-0${day}T00:00:00.000Z`) })
    await importFiles(at(1), { 'a.csv': 'brand,reference,price,dial\nOmega,A1,14000,Blue\n' })
    await importFiles(at(2), { 'a.csv': 'brand,reference,price\nOmega,A1,15000\n' })
    const edited = exported.replace('Sapphire', 'Mineral')
    expect(await importFiles(at(3), { 'b.csv': edited })).toMatchObject({ updated: 1, rejected: 0 })
    const again = edited
      .replace(/^(.*),specs_order/, '$1,specs.lume,specs_order')
      .replaceAll(/,(,20)/g, ',yes,$1')
    expect(await importFiles(at(4), { 'b.csv': again })).toMatchObject({ updated: 2, rejected: 0 })
    expect(await importFiles(at(5), { 'b.csv': again })).toMatchObject({ updated: 0, unchanged: 2 })
    expect(await pricesOf(parts.database)).toEqual([15_000, 6_000])
    const specs = await parts.database.reader.selectFrom('watches').select('specs').orderBy('id').execute()
    expect(specs.map((row) => JSON.parse(row.specs))).toEqual([
      { crystal: 'Mineral', dial_color: 'Blue', lume: 'yes' },
      { lume: 'yes' },
    ])
    const priced = again.replace(',5000,', ',5500,')
    expect(await importFiles(at(6), { 'b.csv': priced })).toMatchObject({ updated: 1, unchanged: 1 })
    expect(await pricesOf(parts.database)).toEqual([5_500, 6_000])
  })

  test('counts again once the later change is undone', async () => {
    const { parts, exported } = await openExported(engine)
    const { run } = await importFiles(parts, { 'a.csv': 'brand,reference,price\nOmega,A1,14000\n' })
    await undo(parts, run as number)
    const edited = { 'b.csv': exported.replace(',5000,', ',5500,') }
    expect(await importFiles(parts, edited)).toMatchObject({ updated: 1, unchanged: 1, rejected: 0 })
  })

  test('adds a row without an id as a new watch, or to the watch with its brand and reference', async () => {
    const { parts, exported } = await openExported(engine)
    const [header = '', first = ''] = exported.split('\r\n')
    const row = (values: Readonly<Record<string, string>>) =>
      header
        .replace('\ufeff', '')
        .split(',')
        .map((name) => values[name] ?? '')
        .join(',')
    const added = [
      row({ brand: 'Omega', reference_number: 'A9', current_market_price: '900' }),
      row({ brand: 'omega', reference_number: 'A-2', 'specs.crystal': 'Mineral' }),
      row({ brand: 'Omega', reference_number: 'A1', current_market_price: '7' }),
      row({ brand: 'Omega', current_market_price: '7' }),
    ]
    const file = { 'b.csv': [header, first, ...added].join('\r\n') }
    const summary = await importFiles(parts, file)
    expect(summary).toMatchObject({ created: 1, updated: 1, unchanged: 1, repeated: 1, rejected: 1 })
    expect(await pricesOf(parts.database)).toEqual([5_000, 6_000, 900])
    expect(await importFiles(parts, file)).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
  })

  test('changes brand and reference of one watch together', async () => {
    const { parts, exported } = await openExported(engine)
    const edited = exported.replace('Omega,,A1', 'Omega Watches,,B1').replace(',5000,', ',5500,')
    const summary = await importFiles(parts, { 'b.csv': edited })
    expect(summary).toMatchObject({ created: 0, updated: 1, unchanged: 1, rejected: 0, brandsCreated: 1 })
    expect(await pricesOf(parts.database)).toEqual([5_500, 6_000])
  })

  test('of which only some columns were sorted keeps the values of each brand and reference', async () => {
    const { parts, exported } = await openExported(engine)
    await importFiles(parts, { 'a.csv': 'brand,reference,price\nTudor,T1,7000\n' })
    const [header, first = '', second = ''] = exported.split('\r\n')
    const swapped = [first.replace(/^1,/, '2,'), second.replace(/^2,/, '1,')]
    const summary = await importFiles(parts, { 'b.csv': [header, ...swapped].join('\r\n') })
    expect(summary).toMatchObject({ created: 0, updated: 0 })
    expect(await pricesOf(parts.database)).toEqual([5_000, 6_000, 7_000])
  })

  test('makes no second watch of a brand and a reference', async () => {
    const { parts, exported } = await openExported(engine)
    const taken = await importFiles(parts, { 'b.csv': exported.replace('A1', 'A2') })
    expect(taken).toMatchObject({ updated: 0, created: 0, unchanged: 1, rejected: 1 })
    expect(taken.left).toMatchObject([{ line: 2, reason: expect.stringContaining('Another watch has') }])
    const both = exported.replace('A1', 'B1').replace('A2', 'B1')
    expect(await importFiles(parts, { 'c.csv': both })).toMatchObject({ updated: 1, created: 0, rejected: 1 })
  })
})

async function openExported(engine: Engine) {
  const parts = await openFresh(engine)
  await importFiles(parts, { 'a.csv': watches })
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-edits-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'a.csv')
  await exportCatalogue(parts.database, 'watches', file, { format: 'csv', compression: undefined })
  return { parts, exported: await readFile(file, 'utf8') }
}

async function pricesOf(database: Database): Promise<(number | null)[]> {
  const rows = await database.reader
    .selectFrom('watches')
    .select('current_market_price')
    .orderBy('id')
    .execute()
  return rows.map(({ current_market_price }) => current_market_price)
}
