// Guarantees about the kinds of prices on both engines: which price of a file is a retail price, and which a market price.
import { expect, test } from 'vitest'
import { linesOf, openPriceFixture } from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'

describeEachEngine('an import of prices', (engine) => {
  test('of rows with a kind stores each price as that kind, whatever --as says', async () => {
    for (const [name, as] of [
      ['kind', 'market'],
      ['Type', 'retail'],
    ] as const) {
      const fixture = await openPriceFixture(engine)
      const rows = [
        `reference,date,${name},price`,
        '191.032,2024-01-31,List price,100',
        '191.032,2024-01-31,Auction,90',
        '191.032,2024-02-29,,80',
        '191.032,2024-02-29,Estimate,70',
        '191.032,2024-03-31,Estimate,',
      ]
      const summary = await fixture.run([rows.join('\n')], { as })
      expect(summary).toMatchObject({ rows: 5, empty: 1, added: 2, superseded: 0, rejected: 1 })
      expect(await linesOf(fixture, 2)).toEqual([
        ['2024-01-31', 100, 90],
        as === 'market' ? ['2024-02-29', null, 80] : ['2024-02-29', 80, null],
      ])
      expect(await fixture.rejected()).toMatchObject([
        { line: 5, column: name, reason: 'reads "Estimate": that is neither retail nor market' },
      ])
    }
  })

  test('rejects a row whose kind contradicts the name of its column, unless it speaks of another column', async () => {
    const fixture = await openPriceFixture(engine)
    const contradiction = 'id,date,kind,market\n1,2024-01-31,market,1\n1,2024-02-29,retail,2\n'
    const other =
      'id,date,kind,price,msrp\n2,2024-01-31,sold,3,4\n2,2024-02-29,list,5,\n2,2024-03-31,list,6,7\n'
    expect(await fixture.run([contradiction, other])).toMatchObject({ added: 3, rejected: 2 })
    expect((await fixture.rejected()).map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, 'kind', 'says retail, which the column market contradicts'],
      [4, 'kind', 'says retail, which the column msrp contradicts'],
    ])
    expect(await linesOf(fixture, 1)).toEqual([['2024-01-31', null, 1]])
    expect(await linesOf(fixture, 2)).toEqual([
      ['2024-01-31', 4, 3],
      ['2024-02-29', 5, null],
    ])
  })

  test('reads the kind of a row in every layout, and names a column of kinds that is not needed', async () => {
    const fixture = await openPriceFixture(engine)
    const notes: string[] = []
    const files = [
      'date,Price type,191.032\n2024-01-31,Retail,100\n2024-01-31,Market,90\n2024-02-29,?,80\n',
      'id,Preisart,2024-01\n3,UVP,70\n3,Marktpreis,60\n3,,50\n',
      'id,date,kind,retail,market\n4,2024-01-31,retail,40,30\n',
      'id,date,price,type\n5,2024-01-31,20,automatic\n',
    ]
    const summary = await fixture.run(files, { onNote: (note) => notes.push(note) })
    expect(summary).toMatchObject({ rows: 8, rejected: 1, superseded: 1 })
    expect(await linesOf(fixture, 2)).toEqual([['2024-01-31', 100, 90]])
    expect(await linesOf(fixture, 3)).toEqual([['2024-01-01', 70, 50]])
    expect(await linesOf(fixture, 4)).toEqual([['2024-01-31', 40, 30]])
    expect(await linesOf(fixture, 5)).toEqual([['2024-01-31', null, 20]])
    expect(notes).toEqual([
      expect.stringMatching(/^Columns of \S+3\.csv that are not read: kind\.$/),
      expect.stringMatching(/^Columns of \S+4\.csv that are not read: type\.$/),
      expect.stringContaining('1 price is left out'),
    ])
  })
})
