// Guarantees about price imports on both engines: which watch and day a file means, what happens to the history, and
// what is reported about the rest.
import { expect, onTestFinished, test } from 'vitest'
import { withCatalogueLock } from '../../src/catalogue/catalogue-lock.ts'
import { OpenRun } from '../../src/catalogue/runs/open-run.ts'
import { readAfter } from '../../src/changes/log.ts'
import { Failure } from '../../src/errors.ts'
import { stagePrices } from '../../src/imports/prices/stage-prices.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { linesOf, noPrice, openPriceFixture, priceOf, writeLines } from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'

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
      superseded: 0,
      rejected: 0,
      reasons: [],
      money: { assumed: 8, rates: [] },
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
      'Omega,5500,tomorrow,4',
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
      [5, 'date', 'reads "tomorrow": that is no day'],
      [6, 'date', 'reads "2024-02-30": there is no such day'],
      [7, 'date', 'reads "2026-03-02": that day is in the future'],
      [8, 'price', expect.stringContaining('reads "from 7000"')],
      [9, 'price', 'is EUR: say --rate EUR=…, US dollars for one'],
      [10, undefined, 'The row does not say of which watch it is.'],
      [11, undefined, 'The row has no day.'],
    ])
    expect(rejected[3]).toMatchObject({ file: expect.stringMatching(/1\.csv$/), value: 'tomorrow' })
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

  test('keeps a day’s prices that it does not contain', async () => {
    const fixture = await openPriceFixture(engine)
    await fixture.run(['reference,date,retail,market\n191.032,2024-01-10,100,90\n191.032,2024-01-20,110,\n'])
    expect(await linesOf(fixture, 2)).toEqual([
      ['2024-01-10', 100, 90],
      ['2024-01-20', 110, null],
    ])
    expect(await priceOf(fixture, 2)).toEqual([110, 90])
    await fixture.run(
      ['reference,date,price\n191.032,2024-01-05,85\n191.032,2024-01-15,95\n191.032,2024-01-20,99\n'],
      { source: 'later' },
    )
    expect(await fixture.history(2)).toEqual([
      { date: '2024-01-05', retail_price_usd: null, current_market_price: 85, source: 'later' },
      { date: '2024-01-10', retail_price_usd: 100, current_market_price: 90, source: 'import' },
      { date: '2024-01-15', retail_price_usd: null, current_market_price: 95, source: 'later' },
      { date: '2024-01-20', retail_price_usd: 110, current_market_price: 99, source: 'later' },
    ])
    expect(await priceOf(fixture, 2)).toEqual([110, 99])
  })

  test('for a past day changes no later line, nor a current price that is newer or was removed', async () => {
    const fixture = await openPriceFixture(engine)
    await setPrice(fixture.database, fixture.clock, 1, { retail_price_usd: 5, current_market_price: 9 })
    await setPrice(fixture.database, fixture.clock, 2, { retail_price_usd: 5, current_market_price: null })
    await writeLines(fixture, [[2, '2024-02-01', null, 9, 'test']])
    const { database } = fixture
    await database.write((tx) => tx.updateTable('watches').set(noPrice).where('id', '=', 2).execute())
    const sequence = await fixture.sequence()
    const rows = [1, 2].flatMap((id) => [`${id},2024-01-01,5`, `${id},2024-02-01,6`, `${id},2024-03-01,7`])
    const summary = await fixture.run([`id,date,price\n${rows.join('\n')}\n`])
    expect(summary).toMatchObject({ added: 5, changed: 1, repriced: 0 })
    expect((await linesOf(fixture, 1)).at(-1)).toEqual([today, 5, 9])
    expect([await priceOf(fixture, 1), await priceOf(fixture, 2)]).toEqual([
      [5, 9],
      [null, null],
    ])
    expect(await fixture.sequence()).toBe(sequence)
  })

  test('makes the newest price of each kind the current one, in any order of commands', async () => {
    const retail = 'id,date,retail\n1,2024-03-01,100\n1,2024-05-01,110\n'
    const market = 'id,date,market\n1,2024-02-01,80\n'
    const later = 'id,date,market\n1,2024-04-01,90\n'
    for (const commands of [
      [[retail], [market], [later]],
      [[later], [market], [retail]],
      [[retail, later]],
    ]) {
      const fixture = await openPriceFixture(engine)
      for (const texts of commands) await fixture.run(texts)
      expect(await priceOf(fixture, 1)).toEqual([110, 90])
      expect((await linesOf(fixture, 1)).at(-1)).toEqual(['2024-05-01', 110, null])
    }
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
        superseded: 0,
        rejected: 0,
        reasons: [],
        money: { assumed: 3, rates: [] },
      })
      expect([await fixture.sequence(), await fixture.history(2), await fixture.price(2)]).toEqual([
        sequence,
        history,
        price,
      ])
    }
  })

  test('converts a price by the newest rate of its day or before, and says which rates it used', async () => {
    const fixture = await openPriceFixture(engine)
    const rates = new Map([
      [
        'EUR',
        [
          { day: '2024-01-05', usd: 1.1 },
          { day: '2024-01-08', usd: 1.2 },
          { day: '2024-02-01', usd: 1.3 },
        ],
      ],
    ])
    const rows = [
      '1,2024-01-04,€1',
      '1,2024-01-05,€100',
      '1,2024-01-07,€100',
      '1,2024-01-31,100',
      '1,2024-01-31,',
    ]
    const file = `id,date,price\n${rows.join('\n')}\n`
    const summary = await fixture.run([file], { rates, currency: 'EUR' })
    expect(summary.money).toEqual({
      assumed: 1,
      rates: [{ currency: 'EUR', usd: 1.2, first: '2024-01-05', last: '2024-01-08' }],
    })
    expect((await linesOf(fixture, 1)).map(([, , market]) => market)).toEqual([110, 110, 120])
    expect((await fixture.rejected()).map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'is EUR of 2024-01-04: CURRENCY_RATES has no rate of that day or before'],
    ])
    const wide = await fixture.run(['date,191.032,126610LN (EUR)\n2024-02-02,100,100\n'], { rates })
    expect(wide.money).toMatchObject({ assumed: 1, rates: [{ usd: 1.3, last: '2024-02-01' }] })
  })

  test('reads all days of a file in the order that one of them shows', async () => {
    const fixture = await openPriceFixture(engine)
    const many = Array.from({ length: 2_500 }, (_, at) => `1,0${(at % 8) + 2}/01/2024,${at + 1}`)
    await fixture.run([`id,date,price\n${many.join('\n')}\n1,13/01/2024,5\n`])
    expect((await linesOf(fixture, 1)).map(([date]) => date)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 13].map((day) => `2024-01-${String(day).padStart(2, '0')}`),
    )
    await fixture.run(['date,191.032\n1/2/2024,7\n1/31/2024,8\n'])
    expect((await linesOf(fixture, 2)).map(([date]) => date)).toEqual(['2024-01-02', '2024-01-31'])
  })

  test('refuses a file whose days show no order, or both, and writes nothing of any file', async () => {
    const fixture = await openPriceFixture(engine)
    const good = 'id,date,price\n1,2024-01-31,5\n'
    const run = (text: string, options = {}) => fixture.run([good, text], options)
    await expect(run('id,day,price\n1,2024-01-31,1\n1,01/02/2024,5\n')).rejects.toThrow(
      /^The column day of \S+2\.csv has days such as 01\/02\/2024, and none that shows .*: say --date-format dmy or --date-format mdy\. Nothing was written\.$/,
    )
    await expect(run('id,day,price\n1,13/02/2024,1\n1,02/13/2024,5\n')).rejects.toThrow(
      /has days in two orders in its column day, 13\/02\/2024 and 02\/13\/2024: /,
    )
    expect(await linesOf(fixture, 1)).toEqual([])
    await run('id,day,price\n1,01/02/2024,6\n', { order: 'dmy' })
    expect((await linesOf(fixture, 1)).map(([date]) => date)).toEqual(['2024-01-31', '2024-02-01'])
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
    const parts = { database, clock, signal: AbortSignal.abort(), who: 'operator', known: {} }
    const run = await OpenRun.begin(parts, 'prices', false)
    onTestFinished(() => run.close())
    const day = { date: '2024-01-31', retail: 1, market: 1, source: 'test', isOwnSource: false }
    await stagePrices(run.staged, [{ watchId: 1, isExport: false, days: [day] }])
    await expect(run.done({})).rejects.toThrow(Failure)
    expect(await linesOf(fixture, 1)).toEqual([])
  })
})
