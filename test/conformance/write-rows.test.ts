// Guarantees about rows that are written many at a time: every value arrives as it was given, on either engine.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pricesRows } from '../../src/catalogue/prices.ts'
import { updateRows, writeRows } from '../../src/storage/write-rows.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'

/** More than one statement has, on either engine. */
const rowCount = 1_131
const target = {
  ...pricesRows,
  onlyIf: `given.date <> 'never'`,
  onConflict: 'on conflict (watch_id, date) do update set source = excluded.source',
} as const
const updated = {
  table: 'prices',
  keys: { watch_id: 'bigint', date: 'text' },
  values: { source: 'text' },
  set: 'source = given.source',
} as const

const text = fc.string({ unit: anyCodePoint }).map((value) => value.replaceAll('\0', ''))
const price = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }))
const values = fc.array(fc.tuple(price, price, text), { minLength: rowCount, maxLength: rowCount })

describeEachEngine('rows that are written together', (engine) => {
  test('arrive as they were given, whatever characters and numbers they have', async () => {
    const { database } = await openFresh(engine)
    await database.write(async (tx) => {
      const brand = { id: 1, name: 'A', slug: 'a', updated_at: '2026-03-01T00:00:00.000Z' }
      await tx
        .insertInto('brands')
        .values(brand as never)
        .execute()
      const watch = { id: 1, brand_id: 1, collection: 'C', reference_number: 'R', specs: '{}' }
      await tx
        .insertInto('watches')
        .values({ ...watch, updated_at: brand.updated_at } as never)
        .execute()
    })
    const [drawn = []] = fc.sample(values, 1)
    const rows = drawn.map(([retail, market, source], at) => [1, `day ${at}`, retail, market, source])
    const read = () => database.reader.selectFrom('prices').selectAll().orderBy('date').execute()
    const expected = (written: typeof rows) =>
      written
        .map(([watch_id, date, retail_price_usd, current_market_price, source]) => ({
          watch_id,
          date,
          retail_price_usd,
          current_market_price,
          source: String(source).toWellFormed(),
        }))
        .sort((one, other) => (String(one.date) < String(other.date) ? -1 : 1))
    await database.write((tx) =>
      writeRows(tx, engine.name, target, [...rows, [1, 'never', null, null, 'left out']]),
    )
    expect(await read()).toEqual(expected(rows))
    const changed = rows.map(([, date], at) => [1, date ?? null, at % 2 === 0 ? 'even' : '\ud800"\\'])
    await database.write((tx) => updateRows(tx, engine.name, updated, changed))
    const after = rows.map((row, at) => [...row.slice(0, -1), changed[at]?.[2] ?? null])
    expect(await read()).toEqual(expected(after as typeof rows))
    await database.write((tx) => writeRows(tx, engine.name, target, rows))
    expect(await read()).toEqual(expected(rows))
  })
})
