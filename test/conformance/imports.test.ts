// Tests what an import does to the catalogue, its price history and its change log.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getHead, readAfter } from '../../src/changes/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const table = `Brand,Model,Ref.,Price,Dial Colour,Water Resistance (M),SKU
Rolex,Datejust 36,126234,"USD 9,850",Blue,100,A1
Tudor,Black Bay,79030B,4610,Black,200,A2
Rolex,Datejust 36,126234,"USD 9,100",Silver,100,A3
`

describeEachEngine('an import', (engine) => {
  test('creates watches, brands, the first price of each watch, and a log entry for each', async () => {
    const { database, clock } = await openFresh(engine)
    const summary = await importFiles({ database, clock }, { 'a.csv': table })
    expect(summary).toMatchObject({ rows: 3, created: 2, updated: 0, unchanged: 0, rejected: 0 })
    expect(summary).toMatchObject({ repeated: 1, brandsCreated: 2 })
    expect(await catalogue(database)).toEqual([
      {
        brand: 'Rolex',
        collection: 'Datejust 36',
        reference_number: '126234',
        retail_price_usd: null,
        current_market_price: 9850,
        specs: { dial_color: 'Blue', water_resistance: '100 m', sku: 'A1' },
      },
      {
        brand: 'Tudor',
        collection: 'Black Bay',
        reference_number: '79030B',
        retail_price_usd: null,
        current_market_price: 4610,
        specs: { dial_color: 'Black', water_resistance: '200 m', sku: 'A2' },
      },
    ])
    expect(await prices(database)).toEqual(['1 2026-03-01 9850 import', '2 2026-03-01 4610 import'])
    expect((await readAfter(database.reader, 0, 100)).map(({ type }) => type).sort()).toEqual([
      'brand.created',
      'brand.created',
      'watch.created',
      'watch.created',
    ])
  })

  test('reports rows that repeat a watch, with the line that is used', async () => {
    const parts = await openFresh(engine)
    const { left } = await importFiles(parts, { 'a.csv': table })
    expect(left).toEqual([
      {
        file: expect.stringContaining('a.csv'),
        line: 4,
        value: 'Rolex 126234',
        reason: 'Line 2 has this watch already.',
        kind: 'repeated',
      },
    ])
  })

  test('of the same file again changes nothing and writes no log rows', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const before = await wholeState(parts.database)
    const again = await importFiles(
      { ...parts, clock: manualClock('2026-04-01T00:00:00.000Z') },
      { 'a.csv': table },
    )
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, brandsCreated: 0 })
    expect(await wholeState(parts.database)).toEqual(before)
  })

  test('of new prices appends to the history and logs each as a price change only', async () => {
    const { database } = await openFresh(engine)
    await importFiles({ database, clock: manualClock('2026-03-01T12:00:00.000Z') }, { 'a.csv': table })
    const { sequence } = await getHead(database.reader)
    const later = manualClock('2026-03-09T12:00:00.000Z')
    const summary = await importFiles(
      { database, clock: later },
      { 'a.csv': table.replace('4610', '$4 500') },
      { source: 'spring list' },
    )
    expect(summary).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect(await prices(database)).toEqual([
      '1 2026-03-01 9850 import',
      '2 2026-03-01 4610 import',
      '2 2026-03-09 4500 spring list',
    ])
    expect(await readAfter(database.reader, sequence, 10)).toMatchObject([
      {
        type: 'watch.price_changed',
        subjectId: 2,
        data: { old: { current_market_price: 4610 }, new: { current_market_price: 4500 } },
      },
    ])
  })

  test('keeps values that a file does not contain', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const more = 'brand,reference,crystal,dial_color\nROLEX,126-234,Sapphire,\n'
    const summary = await importFiles(parts, { 'b.csv': more })
    expect(summary).toMatchObject({ created: 0, updated: 1 })
    expect((await catalogue(parts.database))[0]).toEqual({
      brand: 'Rolex',
      collection: 'Datejust 36',
      reference_number: '126234',
      retail_price_usd: null,
      current_market_price: 9850,
      specs: { dial_color: 'Blue', water_resistance: '100 m', sku: 'A1', crystal: 'Sapphire' },
    })
  })

  test('clears values that a file does not contain if isReplacing is set', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const more = 'brand,reference,crystal\nRolex,126234,Sapphire\n'
    await importFiles(parts, { 'b.csv': more }, { isReplacing: true })
    expect((await catalogue(parts.database))[0]).toMatchObject({
      collection: '',
      current_market_price: null,
      specs: { crystal: 'Sapphire' },
    })
  })

  test('can identify watches by a spec', async () => {
    const parts = await openFresh(engine)
    const key = { spec: 'sku' }
    expect(await importFiles(parts, { 'a.csv': table }, { key })).toMatchObject({ created: 3, repeated: 0 })
    const changed = table.replace('126234,"USD 9,100"', '126234A,"USD 9,100"')
    expect(await importFiles(parts, { 'a.csv': changed }, { key })).toMatchObject({
      updated: 1,
      unchanged: 2,
    })
    const references = (await catalogue(parts.database)).map(({ reference_number }) => reference_number)
    expect(references).toEqual(['126234', '79030B', '126234A'])
  })

  test('rejects a row that matches several watches', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table }, { key: { spec: 'sku' } })
    const before = await wholeState(parts.database)
    const summary = await importFiles(parts, { 'b.csv': 'brand,reference,price\nRolex,126234,1\n' })
    expect(summary).toMatchObject({ updated: 0, created: 0, rejected: 1 })
    expect(summary.left[0]?.reason).toMatch(/several/)
    expect(await wholeState(parts.database)).toEqual(before)
  })

  test('reports on a dry run what it would do, and writes nothing', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const before = await wholeState(parts.database)
    const next = `${table.replace('4610', '4700').replace('Black,200', 'Green,200')}Omega,Seamaster,210.30,5600,Blue,300,A4\n`
    const summary = await importFiles(
      parts,
      { 'a.csv': next },
      { isDryRun: true, prune: () => Promise.reject(new Error('asked')) },
    )
    expect(summary).toMatchObject({ created: 1, updated: 1, unchanged: 1, brandsCreated: 1 })
    expect(summary.changes).toEqual([
      {
        id: 2,
        watch: 'Tudor 79030B',
        fields: {
          'specs.dial_color': { old: 'Black', new: 'Green' },
          current_market_price: { old: 4610, new: 4700 },
        },
      },
    ])
    expect(await wholeState(parts.database)).toEqual(before)
  })

  test('prunes watches that no file contains, after confirming their number', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const asked: number[] = []
    const files = { 'b.csv': 'brand,reference\nTudor,79030b\n' }
    const refuse = (count: number) => Promise.reject(asked.push(count) && new Error('no'))
    await expect(importFiles(parts, files, { prune: refuse })).rejects.toThrow('no')
    expect(await catalogue(parts.database)).toHaveLength(2)
    const summary = await importFiles(parts, files, { prune: async (count) => void asked.push(count) })
    expect([summary.deleted, asked]).toEqual([1, [1, 1]])
    expect((await catalogue(parts.database)).map(({ brand }) => brand)).toEqual(['Tudor'])
    const last = (await readAfter(parts.database.reader, 0, 100)).at(-1)
    expect(last).toMatchObject({ type: 'watch.deleted', subjectId: 1 })
  })

  test('prunes nothing while a row is rejected', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const files = { 'b.csv': 'brand,reference,price\nTudor,79030b,1\nRolex,,100\n' }
    const summary = await importFiles(parts, files, { prune: async () => {} })
    expect(summary).toMatchObject({
      updated: 1,
      deleted: 0,
      pruneRefusal: expect.stringMatching(/1 row was rejected/),
    })
    expect(await catalogue(parts.database)).toHaveLength(2)
  })

  test('rejects rows with line, column and reason, and stops past the maximum', async () => {
    const parts = await openFresh(engine)
    const rows = `brand,reference,price\nRolex,1,EUR 100\nRolex,2,100\n,3,100\nRolex,,100\n`
    const { left, ...summary } = await importFiles(parts, { 'a.csv': rows })
    expect(summary).toMatchObject({ created: 2, rejected: 2, cells: 1 })
    const told = left.map(({ line, column, kind }) => [line, column, kind])
    expect(told).toEqual([
      [2, 'price', 'cell'],
      [4, 'brand', 'rejected'],
      [5, 'reference', 'rejected'],
    ])
    expect(left[0]).toMatchObject({ value: 'EUR 100', reason: expect.stringContaining('EUR') })
    const strict = { isStrict: true }
    expect(await importFiles(parts, { 'a.csv': rows }, strict)).toMatchObject({ rejected: 3, cells: 0 })
    await expect(importFiles(parts, { 'a.csv': rows }, { ...strict, maxErrors: 2 })).rejects.toThrow(
      /more than 2 rows/,
    )
  })

  test('loses no watch and no value to a cell that cannot be read', async () => {
    const parts = await openFresh(engine)
    const header = 'brand,reference,price,fee,crystal'
    const map = '{"columns":{"price":"current_market_price","fee":{"to":"specs.fee","as":"money"}}}'
    await importFiles(parts, { 'a.csv': `${header}\nRolex,1,100,5,Sapphire\n` }, { map })
    const bad = { 'b.csv': `${header}\nRolex,1,see notes,dear,\nRolex,2,#REF!,7,\n` }
    for (const isReplacing of [false, true]) {
      const summary = await importFiles(parts, bad, { map, isReplacing })
      expect(summary).toMatchObject({ rejected: 0, cells: 3 })
      expect(summary.unreadPrices).toEqual([{ to: 'current_market_price', cells: 2 }])
      expect(await catalogue(parts.database)).toMatchObject([
        { current_market_price: 100, specs: isReplacing ? { fee: 5 } : { fee: 5, crystal: 'Sapphire' } },
        { current_market_price: null, specs: { fee: 7 } },
      ])
    }
  })

  test('leaves out a spec whose key is too long, and reports it once', async () => {
    const parts = await openFresh(engine)
    const line = (reference: string) =>
      JSON.stringify({ brand: 'Rolex', reference, dial: 'Blue', specs: { [`k${'x'.repeat(700)}`]: 1, a: 2 } })
    const summary = await importFiles(parts, { 'a.ndjson': `${line('1')}\n${line('2')}\n` })
    expect(summary).toMatchObject({ created: 2, rejected: 0, cells: 0, refusedColumns: [{ count: 2 }] })
    expect(summary.left).toMatchObject([
      { line: 1, column: expect.stringMatching(/^specs\.kx+$/), kind: 'column', count: 2 },
    ])
    const specs = { dial_color: 'Blue', a: 2 }
    expect(await catalogue(parts.database)).toMatchObject([{ specs }, { specs }])
  })

  test('converts another currency by its rate', async () => {
    const parts = await openFresh(engine)
    const rates = new Map([['EUR', 1.1]])
    await importFiles(parts, { 'a.csv': 'brand,reference,price\nRolex,1,"€1.000,50"\n' }, { rates })
    expect(await catalogue(parts.database)).toMatchObject([{ current_market_price: 1100.55 }])
  })

  test('writes a batch completely or not at all', async () => {
    const { database, clock } = await openFresh(engine)
    await refuseReference(database, 'X1500')
    const rows = Array.from({ length: 2_500 }, (_, at) => `Rolex,X${at},100`)
    const files = { 'a.csv': `brand,reference,price\n${rows.join('\n')}\n` }
    await expect(importFiles({ database, clock }, files)).rejects.toThrow()
    const left = await catalogue(database)
    expect(left.length).toBeLessThan(1_500)
    const { sequence } = await getHead(database.reader)
    expect(sequence).toBe(left.length === 0 ? 0 : left.length + 1)
    expect(await prices(database)).toHaveLength(left.length)
    await allowReference(database)
    expect(await importFiles({ database, clock }, files)).toMatchObject({
      created: 2_500 - left.length,
      unchanged: left.length,
    })
  })

  test('of several files merges their columns into the same watches', async () => {
    const parts = await openFresh(engine)
    const files = {
      'specs.csv': 'brand,reference,crystal\nRolex,1,Sapphire\nRolex,2,Acrylic\n',
      'prices.ndjson': '{"brand":"rolex","reference_number":"1","price":"$1,000"}\n',
    }
    expect(await importFiles(parts, files)).toMatchObject({ created: 2, updated: 1, repeated: 0 })
    expect(await catalogue(parts.database)).toMatchObject([
      { current_market_price: 1000, specs: { crystal: 'Sapphire' } },
      { current_market_price: null, specs: { crystal: 'Acrylic' } },
    ])
  })

  test('finds a brand by its alias, its slug and its name in any case', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': 'brand,reference\nTAG Heuer,1\n' })
    await parts.database.write((tx) => tx.updateTable('brands').set({ aliases: '["Heuer"]' }).execute())
    const rows = 'brand,reference\ntag heuer,2\nHEUER,3\ntag-heuer,4\n'
    expect(await importFiles(parts, { 'b.csv': rows })).toMatchObject({ created: 3, brandsCreated: 0 })
  })
})

async function catalogue(database: Database) {
  const rows = await database.reader
    .selectFrom('watches')
    .innerJoin('brands', 'brands.id', 'watches.brand_id')
    .select(['brands.name as brand', 'collection', 'reference_number'])
    .select(['retail_price_usd', 'current_market_price', 'specs'])
    .orderBy('watches.id')
    .execute()
  return rows.map((row) => ({ ...row, specs: JSON.parse(row.specs) }))
}

async function prices(database: Database): Promise<string[]> {
  const rows = await database.reader
    .selectFrom('prices')
    .selectAll()
    .orderBy('watch_id')
    .orderBy('date')
    .execute()
  return rows.map((row) => `${row.watch_id} ${row.date} ${row.current_market_price} ${row.source}`)
}

async function wholeState(database: Database) {
  return {
    watches: await database.reader.selectFrom('watches').selectAll().orderBy('id').execute(),
    brands: await database.reader.selectFrom('brands').selectAll().orderBy('id').execute(),
    prices: await prices(database),
    changes: await readAfter(database.reader, 0, 10_000),
    head: await getHead(database.reader),
  }
}

/** Makes the database itself fail on one row, as a full disk would. */
async function refuseReference(database: Database, reference: string): Promise<void> {
  const text =
    database.engine === 'sqlite'
      ? `create trigger refuse before insert on watches when new.reference_number = '${reference}'
         begin select raise(abort, 'refused'); end`
      : `create function refuse() returns trigger as $$ begin
           if new.reference_number = '${reference}' then raise exception 'refused'; end if; return new; end $$ language plpgsql;
         create trigger refuse before insert on watches for each row execute function refuse()`
  await database.write((tx) => database.script(tx, text))
}

async function allowReference(database: Database): Promise<void> {
  const table = database.engine === 'sqlite' ? '' : ' on watches'
  await database.write((tx) => sql.raw(`drop trigger refuse${table}`).execute(tx))
}
