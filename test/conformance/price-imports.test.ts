// Guarantees about price imports on both engines: which watch and day a file means, what happens to the history, and
// what is reported about the rest.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withCatalogueLock } from '../../src/catalogue/catalogue-lock.ts'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { exportSource } from '../../src/catalogue/prices.ts'
import { OpenRun } from '../../src/catalogue/runs/open-run.ts'
import { getHead, readAfter } from '../../src/changes/log.ts'
import { Failure } from '../../src/errors.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import { stagePrices } from '../../src/imports/prices/stage-prices.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { importFiles } from '../catalogue/import-files.ts'
import {
  importPriceFiles,
  linesOf,
  noPrice,
  openPriceFixture,
  priceOf,
  writeLines,
} from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'

/** The date of the manual clock. */
const today = '2026-03-01'

describeEachEngine('an import of prices', (engine) => {
  test('of rows finds a watch by brand and reference, by reference alone, or by id', async () => {
    const fixture = await openPriceFixture(engine)
    const summary = await fixture.run([
      'reference,brand,date,price\n310.30.42.50.01.001,omega,2024-01-31,6000\n31030425001001,Ω,2024-02-29,6100\n191-032,,2024-01-31,30000\n126610 ln,ROLEX,2024-01-31,13000\n5500,Rolex,2024-01-31,55\n',
      'Date;Ref. No.;Price\n2024-03-31;310 30 42 50 01 001;6200\n',
      'watch_id,date,market,id\n2,2024-02-29,31000,77\n',
      'id,date,market\n2,2024-03-31,32000\n',
    ])
    expect(summary).toEqual({
      run: 1,
      rows: 8,
      empty: 0,
      added: 8,
      changed: 0,
      same: 0,
      watches: 4,
      repriced: 4,
      rejected: 0,
    })
    expect(await linesOf(fixture, 1)).toEqual([
      ['2024-01-31', null, 6000],
      ['2024-02-29', null, 6100],
      ['2024-03-31', null, 6200],
    ])
    expect((await linesOf(fixture, 2)).map(([, , market]) => market)).toEqual([30000, 31000, 32000])
    expect(await linesOf(fixture, 3)).toEqual([['2024-01-31', null, 13000]])
    expect([await linesOf(fixture, 5), await linesOf(fixture, 6)]).toEqual([[], [['2024-01-31', null, 55]]])
    expect(await priceOf(fixture, 1)).toEqual([null, 6200])
    const changes = await readAfter(fixture.database.reader, 9, 100)
    expect(changes.map(({ type, subjectId, data }) => [type, subjectId, data])).toContainEqual([
      'watch.price_changed',
      1,
      {
        old: noPrice,
        new: { retail_price_usd: null, current_market_price: 6200 },
        updated_at: (await fixture.price(1)).updated_at,
      },
    ])
    expect(changes.length).toBe(4)
  })

  test('reports line and reason of each rejected row, and imports the others', async () => {
    const fixture = await openPriceFixture(engine)
    const rows = [
      'brand,reference,date,price',
      'Omega,999,2024-01-31,1',
      ',5500,2024-01-31,2',
      'Seiko,5500,2024-01-31,3',
      'Omega,5500,01/02/2024,4',
      'Omega,5500,2024-02-30,5',
      'Omega,5500,2026-03-02,6',
      'Omega,5500,2024-01-31,from 7000',
      'Omega,5500,2024-01-31,€ 8',
      'Omega,,2024-01-31,9',
      'Omega,5500,,10',
      'Omega,5500,2024-01-31,',
      'Omega,5500,2024-01-31,11',
      `Omega,5500,${today},12`,
    ]
    const summary = await fixture.run([`${rows.join('\n')}\n`])
    expect(summary).toMatchObject({ rows: 13, empty: 1, added: 2, rejected: 10 })
    const rejected = await fixture.rejected()
    expect(rejected.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [2, 'reference', 'The catalogue has no watch Omega 999.'],
      [3, 'reference', 'The catalogue has several watches 5500: name the brand, too, or give --brand.'],
      [4, 'brand', 'The catalogue has no brand Seiko.'],
      [5, 'date', 'reads "01/02/2024": that may be two days, so give --date-format dmy or mdy'],
      [6, 'date', 'reads "2024-02-30": there is no such day'],
      [7, 'date', 'reads "2026-03-02": that day is in the future'],
      [8, 'price', expect.stringContaining('reads "from 7000"')],
      [9, 'price', 'is EUR: say --rate EUR=…, US dollars for one'],
      [10, undefined, 'The row does not say of which watch it is.'],
      [11, undefined, 'The row has no day.'],
    ])
    expect(rejected[3]).toMatchObject({ file: expect.stringMatching(/1\.csv$/), value: '01/02/2024' })
    expect(await linesOf(fixture, 5)).toEqual([
      ['2024-01-31', null, 11],
      [today, null, 12],
    ])
  })

  test('of a table reads a column per watch, and reports one error for a column of an unknown watch', async () => {
    const fixture = await openPriceFixture(engine)
    const table = [
      'Month,Omega 310.30.42.50.01.001,A. Lange & Söhne 191.032,126610LN (EUR),5500,Rolex 5500,Nobody 1,',
      'Dec 2023,,n/a,,,,,',
      'Jan 2024,6000,,10,1,55,7,',
      'Feb 2024,"6,100.50",30000,20,1,n/a,7,',
      '2024-03,,,,,56,7,',
    ]
    const summary = await fixture.run([table.join('\n')], { rates: new Map([['EUR', 1.1]]) })
    expect(summary).toMatchObject({ rows: 4, empty: 1, added: 7, rejected: 2, watches: 4, repriced: 4 })
    expect((await fixture.rejected()).map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, '5500', 'The catalogue has several watches 5500: name the brand, too, or give --brand.'],
      [3, 'Nobody 1', 'The catalogue has no watch Nobody 1.'],
    ])
    expect(await linesOf(fixture, 1)).toEqual([
      ['2024-01-01', null, 6000],
      ['2024-02-01', null, 6100.5],
    ])
    expect(await linesOf(fixture, 2)).toEqual([['2024-02-01', null, 30000]])
    expect((await linesOf(fixture, 3)).map(([, , market]) => market)).toEqual([11, 22])
    expect((await linesOf(fixture, 6)).map(([, , market]) => market)).toEqual([55, 56])
    const ofBrand = await fixture.run(['date,5500\n2024-01-01,77\n'], { brand: 'OMEGA sa', as: 'retail' })
    expect([ofBrand.added, await linesOf(fixture, 5)]).toEqual([1, [['2024-01-01', 77, null]]])
  })

  test('of JSON accepts columns that appear late, and both rows and tables', async () => {
    const fixture = await openPriceFixture(engine)
    const lines = [
      { date: '2024-01-31', '191.032': 30000 },
      { date: '2024-02-29', '191.032': 31000, 'Rolex 126610LN': '$13,000' },
    ]
    await fixture.run([lines.map((line) => JSON.stringify(line)).join('\n')], { ending: 'ndjson' })
    expect((await linesOf(fixture, 2)).map(([, , market]) => market)).toEqual([30000, 31000])
    expect((await linesOf(fixture, 3)).map(([, , market]) => market)).toEqual([13000])
    const rows = [{ watch_id: 1, day: '2024-01-31T10:00:00+02:00', msrp: 7000, source: 'maker' }]
    await fixture.run([rows.map((row) => JSON.stringify(row)).join('\n')], { ending: 'ndjson' })
    expect(await fixture.history(1)).toEqual([
      { date: '2024-01-31', retail_price_usd: 7000, current_market_price: null, source: 'maker' },
    ])
  })

  test('keeps a day’s prices that it does not contain, and carries the previous day’s prices forward', async () => {
    const fixture = await openPriceFixture(engine)
    await fixture.run(['reference,date,retail,market\n191.032,2024-01-10,100,90\n191.032,2024-01-20,110,\n'])
    expect(await linesOf(fixture, 2)).toEqual([
      ['2024-01-10', 100, 90],
      ['2024-01-20', 110, 90],
    ])
    await fixture.run(
      ['reference,date,price\n191.032,2024-01-05,85\n191.032,2024-01-15,95\n191.032,2024-01-20,99\n'],
      {
        source: 'later',
      },
    )
    expect(await fixture.history(2)).toEqual([
      { date: '2024-01-05', retail_price_usd: null, current_market_price: 85, source: 'later' },
      { date: '2024-01-10', retail_price_usd: 100, current_market_price: 90, source: 'import' },
      { date: '2024-01-15', retail_price_usd: 100, current_market_price: 95, source: 'later' },
      { date: '2024-01-20', retail_price_usd: 110, current_market_price: 99, source: 'later' },
    ])
    expect(await priceOf(fixture, 2)).toEqual([110, 99])
  })

  test('for a past day changes no later line, nor the current price of the watch', async () => {
    const fixture = await openPriceFixture(engine)
    await writeLines(fixture, [
      [1, '2024-02-01', 4, null, 'test'],
      [1, today, 5, null, 'test'],
    ])
    const sequence = await fixture.sequence()
    const summary = await fixture.run(['id,date,price\n1,2024-01-01,5\n1,2024-02-01,6\n1,2024-03-01,7\n'])
    expect(summary).toMatchObject({ added: 2, changed: 1, repriced: 0 })
    expect(await linesOf(fixture, 1)).toEqual([
      ['2024-01-01', null, 5],
      ['2024-02-01', 4, 6],
      ['2024-03-01', 4, 7],
      [today, 5, null],
    ])
    expect([await priceOf(fixture, 1), await fixture.sequence()]).toEqual([[5, null], sequence])
  })

  test('makes the newest line the current price of the watch, and never an older one', async () => {
    const fixture = await openPriceFixture(engine)
    await setPrice(fixture.database, fixture.clock, 1, { retail_price_usd: 10, current_market_price: 20 })
    const before = { ...(await fixture.price(1)), sequence: await fixture.sequence() }
    const older = await fixture.run(['id,date,price\n1,2026-02-28,19\n'])
    expect([older.added, older.repriced, await fixture.sequence()]).toEqual([1, 0, before.sequence])
    expect((await fixture.price(1)).updated_at).toBe(before.updated_at)
    const same = await fixture.run([`id,date,price\n1,${today},21\n`])
    expect([same.changed, same.repriced, await fixture.sequence()]).toEqual([1, 1, before.sequence + 1])
    expect(await linesOf(fixture, 1)).toEqual([
      ['2026-02-28', null, 19],
      [today, 10, 21],
    ])
    expect((await fixture.price(1)).updated_at > before.updated_at).toBe(true)
    expect(await priceOf(fixture, 1)).toEqual([10, 21])
  })

  test('uses the latest of several prices of a day, in any order', async () => {
    const fixture = await openPriceFixture(engine)
    const rows = ['1,2024-01-31T09:00:00Z,1', '1,2024-01-31T18:30:00Z,3', '1,2024-01-31T12:00:00Z,2']
    for (const order of [rows, rows.toReversed()]) {
      await fixture.run([`id,timestamp,price\n${order.join('\n')}\n`])
      expect(await linesOf(fixture, 1)).toEqual([['2024-01-31', null, 3]])
    }
  })

  test('writes nothing on a dry run, and nothing when it is run again', async () => {
    const fixture = await openPriceFixture(engine)
    const file = 'reference,date,price,msrp\n191.032,2024-01-31,30000,40000\n126610LN,2024-01-31,13000,\n'
    const looked = await fixture.run([file], { isDryRun: true })
    expect([await linesOf(fixture, 2), await fixture.sequence()]).toEqual([[], 9])
    const first = await fixture.run([file])
    expect({ ...looked, run: first.run }).toEqual(first)
    const [sequence, history, price] = [
      await fixture.sequence(),
      await fixture.history(2),
      await fixture.price(2),
    ]
    expect(sequence).toBe(11)
    for (const source of ['import', 'another']) {
      const again = await fixture.run([file], { source })
      expect(again).toEqual({
        run: expect.any(Number),
        rows: 2,
        empty: 0,
        added: 0,
        changed: 0,
        same: 2,
        watches: 0,
        repriced: 0,
        rejected: 0,
      })
      expect([await fixture.sequence(), await fixture.history(2), await fixture.price(2)]).toEqual([
        sequence,
        history,
        price,
      ])
    }
  })

  test('stops at too many errors, before anything is written', async () => {
    const fixture = await openPriceFixture(engine)
    const rows = ['2,2024-01-31,1', 'x,2024-01-31,1', '99,2024-01-31,1', '1,soon,1']
    const run = (maxErrors: number) => fixture.run([`id,date,price\n${rows.join('\n')}\n`], { maxErrors })
    await expect(run(2)).rejects.toThrow(/^Stopped, because more than 2 rows could not be imported/)
    expect(await linesOf(fixture, 2)).toEqual([])
    expect((await run(3)).rejected).toBe(3)
    expect(
      (await fixture.rejected()).map(({ line, column, value, reason }) => [line, column, value, reason]),
    ).toEqual(
      expect.arrayContaining([
        [3, 'id', 'x', 'reads "x": that is no id'],
        [4, 'id', '99', 'is the id of no watch'],
        [5, 'date', 'soon', 'reads "soon": that is no day'],
      ]),
    )
    expect(await linesOf(fixture, 2)).toEqual([['2024-01-31', null, 1]])
  })

  test('reports which column a file lacks', async () => {
    const fixture = await openPriceFixture(engine)
    const refusal = (text: string, options = {}) =>
      fixture.run([text], options).then(
        () => 'none',
        (error: Error) => error.message,
      )
    expect(await refusal('reference,price\n1,2\n')).toContain('has no column of days')
    expect(await refusal('date,price\n2024-01-01,2\n')).toContain('no column that says of which watch')
    expect(await refusal('date,reference\n2024-01-01,2\n')).toContain('no column of prices')
    expect(await refusal('date,day,reference,price\n2024-01-01,2024-01-01,2,3\n')).toContain(
      'two columns for the date, date and day',
    )
    expect(await refusal('date,reference,price,market\n2024-01-01,2,3,4\n')).toContain(
      'two columns for the market price, price and market',
    )
    expect(await refusal('date,5500\n2024-01-01,2\n', { brand: 'Nobody' })).toBe(
      'The catalogue has no brand Nobody: check --brand.',
    )
  })

  test.each(['csv', 'ndjson', 'parquet', 'csv.gz'])(
    'restores an export as %s line by line',
    async (ending) => {
      const fixture = await openPriceFixture(engine)
      const [other, file] = [await openPriceFixture(engine), path.join(fixture.directory, `prices.${ending}`)]
      await writeLines(fixture, [
        [1, '2024-01-01', 100, 90.123456, 'sample'],
        [1, '2024-02-01', null, 123_456_789_012.25, '=1+1'],
        [1, '2024-03-01', null, null, 'NA'],
        [2, '2024-01-01', 0, 5, 'a, "b"'],
        [2, today, 43_000, 33_500.5, 'x'],
      ])
      await writeLines(other, [
        [1, '2024-01-01', 1, 2, 'other'],
        [1, '2024-02-01', 100, 90, 'other'],
        [2, '2024-01-01', 0, 5, 'other'],
      ])
      await exportCatalogue(fixture.database, 'prices', file, parseOutputFormat(file, undefined))
      const { added, changed, rejected } = await other.runFiles([file])
      expect([added, changed, rejected]).toEqual([2, 3, 0])
      for (const id of [1, 2]) expect(await other.history(id)).toEqual(await fixture.history(id))
      expect(await priceOf(other, 1)).toEqual([null, null])
      expect(await priceOf(other, 2)).toEqual([43_000, 33_500.5])
      expect(await other.runFiles([file])).toMatchObject({ added: 0, changed: 0, same: 5, repriced: 0 })
    },
  )

  test('finds a brand by its complete long name', async () => {
    const fixture = await openPriceFixture(engine)
    const name = `Manufacture ${'x'.repeat(80)}`
    await fixture.database.write((tx) => tx.updateTable('brands').set({ name }).where('id', '=', 1).execute())
    const summary = await fixture.run([`brand,reference,date,price\n${name},5500,2024-01-31,1\n`])
    expect(summary).toMatchObject({ added: 1, rejected: 0 })
  })

  test('rejects a source with control characters', async () => {
    const fixture = await openPriceFixture(engine)
    await fixture.run(['id,date,price,source\n1,2024-01-31,1,a\u0007b\n'])
    expect((await fixture.rejected()).map(({ column, reason }) => [column, reason])).toEqual([
      ['source', 'has control characters'],
    ])
  })

  test('does not wait for the lock on a dry run', async () => {
    const fixture = await openPriceFixture(engine)
    const summary = await withCatalogueLock(fixture.database, () =>
      fixture.run(['id,date,price\n1,2024-01-31,1\n'], { isDryRun: true }),
    )
    expect(summary.added).toBe(1)
  })

  test('fails with a message if its exclusive lock is lost, and writes nothing', async () => {
    const fixture = await openPriceFixture(engine)
    const { database, clock } = fixture
    const parts = { database, clock, signal: AbortSignal.abort(), who: 'operator' }
    const run = await OpenRun.begin(parts, 'prices', false)
    onTestFinished(() => run.close())
    const day = { date: '2024-01-31', retail: 1, market: 1, source: 'test', isOwnSource: false }
    await stagePrices(run.staged, [{ watchId: 1, isExport: false, days: [day] }])
    await expect(run.done({})).rejects.toThrow(Failure)
    expect(await linesOf(fixture, 1)).toEqual([])
  })

  test.each(['csv', 'ndjson', 'parquet'])(
    'together with an export of watches as %s restores the exported history',
    async (ending) => {
      const fixture = await openPriceFixture(engine)
      const [watches, prices, again] = ['watches', 'prices', 'again'].map((name) =>
        path.join(fixture.directory, `${name}.${ending}`),
      ) as [string, string, string]
      await writeLines(fixture, [
        [1, '2024-01-01', 100, 90, 'sample'],
        [1, '2024-02-01', 100, 95.5, 'x'],
        [2, '2024-01-01', null, 5, 'export'],
        [2, today, null, 6, 'x'],
      ])
      const { database } = await openFresh(engine)
      const other = { ...fixture, database }
      await exportCatalogue(fixture.database, 'watches', watches, parseOutputFormat(watches, undefined))
      await exportCatalogue(fixture.database, 'prices', prices, parseOutputFormat(prices, undefined))
      await importFiles(other, { [`watches.${ending}`]: await readFile(watches) })
      const rejects = new Rejects(path.join(fixture.directory, 'none.ndjson'), 0)
      const run = () => importPriceFiles({ database, clock: fixture.clock, rejects }, [prices])
      const head = (await getHead(database.reader)).sequence
      expect(await run()).toMatchObject({ repriced: 0, rejected: 0 })
      await exportCatalogue(database, 'prices', again, parseOutputFormat(again, undefined))
      expect((await readFile(again)).equals(await readFile(prices))).toBe(true)
      expect(await run()).toMatchObject({ added: 0, changed: 0, same: 4, watches: 0, repriced: 0 })
      expect((await getHead(database.reader)).sequence).toBe(head)
    },
  )

  test('of an export that is older than the watches keeps their current price', async () => {
    const fixture = await openPriceFixture(engine)
    await writeLines(fixture, [[1, '2026-02-20', 100, 99, exportSource]])
    const file = 'watch_id,date,retail_price_usd,current_market_price,source\n1,2024-01-01,100,90,x\n'
    for (const added of [1, 0]) expect(await fixture.run([file])).toMatchObject({ added, repriced: 0 })
    expect((await linesOf(fixture, 1)).at(-1)).toEqual(['2026-02-20', 100, 99])
    expect(await priceOf(fixture, 1)).toEqual([100, 99])
  })
})
