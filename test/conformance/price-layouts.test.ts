// Tests which layouts and column names an import of prices knows.
import { expect, test } from 'vitest'
import { linesOf, openPriceFixture } from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'

describeEachEngine('an import of prices', (engine) => {
  test('reads a row for each watch and a column for each day or month', async () => {
    const fixture = await openPriceFixture(engine)
    const summary = await fixture.run([
      'Brand,Reference,Price,2024-01,Feb 2024,03/2024,Apr-24,2024-05-15,Dec 2099\nOmega,310.30.42.50.01.001,9,1,2,3,,5,6\nRolex,126610LN,9,10,x,,,,\nOmega,404,9,1,,,,,\nRolex,5500,9,,,,,,\n',
    ])
    expect(summary).toMatchObject({ rows: 4, empty: 1, added: 5, rejected: 3 })
    expect(await linesOf(fixture, 1)).toEqual([
      ['2024-01-01', null, 1],
      ['2024-02-01', null, 2],
      ['2024-03-01', null, 3],
      ['2024-05-15', null, 5],
    ])
    const rejected = (await fixture.rejected()).map(({ line, column }) => [line, column])
    expect(rejected).toEqual([
      [4, 'Reference'],
      [2, 'Dec 2099'],
      [3, 'Feb 2024'],
    ])
  })

  test('reads the kind and the currency of such a row, and the order of days in the header', async () => {
    const fixture = await openPriceFixture(engine)
    const file = (days: string) => `id,Kind,Currency,${days}\n1,Retail price,USD,100,110\n2,market,,,120\n`
    await fixture.run([file('01/02/2024,13/02/2024')])
    expect(await linesOf(fixture, 1)).toEqual([
      ['2024-02-01', 100, null],
      ['2024-02-13', 110, null],
    ])
    expect(await linesOf(fixture, 2)).toEqual([['2024-02-13', null, 120]])
    await expect(fixture.run([file('01/02/2024,01/03/2024')])).rejects.toThrow(
      /The header of .* has days such as 01\/02\/2024, and none that shows whether/,
    )
  })

  test('knows the columns of auctions, in several languages', async () => {
    const fixture = await openPriceFixture(engine)
    const files = [
      'Marke;Referenznummer;Verkaufsdatum;Zuschlagspreis\nOmega;5500;15. März 2024;1\n',
      'Brand,Reference,Date Sold,Hammer price\nOmega,5500,16 Mar 24,2\n',
      'Brand,Reference,Sale date,Price realised (USD)\nOmega,5500,17.3.24,3\n',
      'Marque,Référence,Vendu le,Prix adjugé\nOmega,5500,18 mars 2024,4\n',
    ]
    expect(await fixture.run(files)).toMatchObject({ added: 4, rejected: 0 })
  })

  test('tells the columns that are not read, and how many prices another of the same day replaces', async () => {
    const fixture = await openPriceFixture(engine)
    const notes: string[] = []
    const onNote = (note: string) => void notes.push(note)
    const files = [
      'brand,reference,2024-01,Q2 2024,Notes\nOmega,5500,1,3,x\n',
      'brand,reference,date,price\nOmega,5500,2024-05-01,4\nOmega,5500,2024-05-01,4\nOmega,5500,2024-05-01,5\n',
    ]
    expect(await fixture.run(files, { onNote })).toMatchObject({ added: 2, superseded: 1 })
    expect(notes).toEqual([
      expect.stringMatching(/^Columns of .* that are not read: Q2 2024, Notes\. Their names are no days\.$/),
      '1 price is left out: the files have another one of the same watch and day, and the last one counts.',
    ])
    expect((await linesOf(fixture, 5)).at(-1)).toEqual(['2024-05-01', null, 5])
  })

  test('refuses days that may begin with a year of two digits, unless most of them show that they do not', async () => {
    const fixture = await openPriceFixture(engine)
    const file = (...days: string[]) =>
      `brand,reference,date,price\n${days.map((day, at) => `Omega,5500,${day},${at + 1}\n`).join('')}`
    for (const days of [['22/03/15', '23/04/16'], ['15/03/27'], ['13/02/24']])
      await expect(fixture.run([file(...days)])).rejects.toThrow(
        'in which the year may come first: write years',
      )
    expect(await fixture.run([file('15/03/24', '16/03/24')])).toMatchObject({ added: 2 })
    expect(await fixture.run([file('22/03/15')], { order: 'dmy' })).toMatchObject({ added: 1 })
    expect(await fixture.run([file('28/03/23', '22/03/23')])).toMatchObject({ added: 2 })
    expect((await linesOf(fixture, 5)).map(([day]) => day)).toEqual([
      ...['2015-03-22', '2023-03-22', '2023-03-28', '2024-03-15', '2024-03-16'],
    ])
  })

  test('takes the currency from a line above the header', async () => {
    const fixture = await openPriceFixture(engine)
    const inEuros = 'Prices in EUR\n\nBrand,Reference,Date,Price\nOmega,5500,2024-03-19,100\n'
    expect(await fixture.run([inEuros], { rates: new Map([['EUR', 2]]) })).toMatchObject({
      added: 1,
      money: { assumed: 0 },
    })
  })
  test.each([
    [
      'Date de vente;Marque;Référence;Adjudication;Prix avec frais;Maison\n2024-03-05;Omega;5500;100;126;Phillips\n',
    ],
    ['Datum;Marke;Referenz;Zuschlag mit Aufgeld;Zuschlag;Waehrung\n2024-03-05;Omega;5500;126;100;USD\n'],
    [
      'Date;Brand;Reference;Price incl. premium;Hammer price;Auction House\n2024-03-05;Omega;5500;126;100;x\n',
    ],
    ['Brand;Reference;Date last sold;Prix au marteau\nOmega;5500;2024-03-05;100\n'],
    ['Brand;Reference;Date;Street Price\nOmega;5500;2024-03-05;100\n'],
    ['Brand;Reference;Date;Grey market price;Market price\nOmega;5500;2024-03-05;126;100\n'],
    ['Brand;Reference;Market 2024-03-05 (USD)\nOmega;5500;100\n'],
  ])('reads the market price of %j', async (file) => {
    const fixture = await openPriceFixture(engine)
    expect(await fixture.run([file], { as: file.includes('Grey') ? 'retail' : 'market' })).toMatchObject({
      added: 1,
    })
    expect(await linesOf(fixture, 5)).toEqual([['2024-03-05', null, 100]])
  })

  test('reads the kind of the prices of a day from the name of its column', async () => {
    const fixture = await openPriceFixture(engine)
    const file =
      'Brand,Reference,Retail Jan 2024,Jan 2024 market price,List price 2024-02,Price Feb 2024\nOmega,5500,1,2,3,4\n'
    expect(await fixture.run([file])).toMatchObject({ added: 2, rejected: 0 })
    expect(await linesOf(fixture, 5)).toEqual([
      ['2024-01-01', 1, 2],
      ['2024-02-01', 3, 4],
    ])
  })

  test('reads a list of dated prices of each watch, without the price that the watch has now', async () => {
    const fixture = await openPriceFixture(engine)
    const history = (...prices: number[]) =>
      prices.map((price, at) => ({ date: `2024-0${at + 1}-01`, price }))
    const watches = [
      { brand: 'Omega', reference: '5500', msrp: 9, price_history: history(1, 2) },
      { brand: 'Rolex', reference: '5500', msrp: 9, price_history: [], note: 'x' },
      { brand: 'Rolex', reference: '126610LN', source: 'shop', price_history: history(3) },
    ]
    const summary = await fixture.run([JSON.stringify(watches)], { ending: 'json' })
    expect(summary).toMatchObject({ added: 3, rejected: 0 })
    expect(await linesOf(fixture, 5)).toEqual([
      ['2024-01-01', null, 1],
      ['2024-02-01', null, 2],
    ])
    expect(await fixture.history(3)).toMatchObject([{ current_market_price: 3, source: 'shop' }])
  })

  test('of days above the kinds of prices adds each price to its day', async () => {
    const fixture = await openPriceFixture(engine)
    const summary = await fixture.run([
      ',,Jan 2024,,Feb 2024,\nBrand,Reference,Retail,Market,Retail,Market\nOmega,5500,1,2,3,4\n',
    ])
    expect(summary).toMatchObject({ added: 2, rejected: 0 })
    expect(await linesOf(fixture, 5)).toEqual([
      ['2024-01-01', 1, 2],
      ['2024-02-01', 3, 4],
    ])
  })

  test('says what is wrong with two header lines, two columns of a watch, and a file without rows', async () => {
    const fixture = await openPriceFixture(engine)
    const twoLines = 'Brand,Reference,Prices,\n,,2024-01,2024-02\nOmega,5500,1,2\n'
    await expect(fixture.run([twoLines])).rejects.toThrow(/has two header lines: make one of them/)
    await fixture.run(['Date,Omega 5500,Omega 5500\n2024-01-05,1,2\n'])
    expect(await fixture.rejected()).toMatchObject([
      { column: 'Omega 5500', reason: 'The file has two columns Omega 5500: remove one.' },
    ])
    const notes: string[] = []
    await fixture.run(['brand,reference,date,price\n'], { onNote: (note) => void notes.push(note) })
    expect(notes).toEqual([expect.stringMatching(/ has no rows\.$/)])
  })
})
