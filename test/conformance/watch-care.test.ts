// Guarantees about single watches on both engines: found by common spellings, edited field by field, deleted with all
// their data.
import { expect, test } from 'vitest'
import { deleteInSteps } from '../../src/catalogue/edit/delete-watches.ts'
import { editWatch, listEdits, parseWatchEdit } from '../../src/catalogue/edit/edit-watch.ts'
import { BrandFinder } from '../../src/catalogue/find-brand.ts'
import { findWatches } from '../../src/catalogue/find-watch.ts'
import type { Clock } from '../../src/clock.ts'
import { Failure } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { careParts, changedIds, changesSince, dump, storeWatches } from './care-catalogue.ts'

const catalogue = [
  { brand: 'Omega', reference: '310.30.42.50.01.001', specs: '{"b":1,"2":"x","dial_color":"Black"}' },
  { brand: 'Rolex', reference: '4' },
  { brand: 'Rolex', reference: 'M126610LN-0001' },
  { brand: 'Tudor', reference: 'm126610ln0001' },
  { brand: 'Tudor', reference: '---' },
]

const fields = {
  brand_id: 1,
  collection: '',
  reference_number: 'x',
  retail_price_usd: null,
  current_market_price: null,
}

async function open(engine: Parameters<Parameters<typeof describeEachEngine>[1]>[0]) {
  const { database, clock } = await openFresh(engine)
  await storeWatches(database, catalogue)
  return { database, clock, finder: await BrandFinder.read(database.reader) }
}

async function edit(database: Database, clock: Clock, set: string[], unset: string[] = []) {
  const finder = await BrandFinder.read(database.reader)
  return editWatch({ database, clock, finder }, 1, parseWatchEdit(set, unset, finder))
}

describeEachEngine('a watch', (engine) => {
  const unchanged = share(() => open(engine))

  test.each([
    ['1', [1]],
    ['310304250 01/001', [1]],
    ['M126610LN-0001', [3, 4]],
    ['4', [4]],
    ['99', []],
    ['---', []],
    ['', []],
    ['1e0', []],
    ['99999999999999999999', []],
  ])('is found by %j', async (written, ids) => {
    const { database } = unchanged()
    expect((await findWatches(database.reader, written)).rows.map(({ id }) => id)).toEqual(ids)
  })

  test('is found by id if the digits are also another watch’s reference, which is reported', async () => {
    const { database } = unchanged()
    expect(await findWatches(database.reader, '4')).toMatchObject({
      rows: [{ id: 4 }],
      othersByReference: [2],
    })
  })

  test('is found by reference if the brand is given', async () => {
    const { database, finder } = unchanged()
    const [rolex, tudor] = [finder.find('Rolex')?.id, finder.find('Tudor')?.id]
    expect((await findWatches(database.reader, '4', rolex)).rows.map(({ id }) => id)).toEqual([2])
    expect((await findWatches(database.reader, 'm126610ln-0001', tudor)).rows.map(({ id }) => id)).toEqual([
      4,
    ])
    expect((await findWatches(database.reader, '1', tudor)).rows).toEqual([])
  })

  test('is edited only in the given fields, with entries in the log and the history', async () => {
    const { database, clock } = await open(engine)
    const before = await dump(database)
    const set = [
      'brand=rolex',
      'collection= Speedmaster ',
      'reference_number=X=1',
      'retail_price_usd=7000',
      'current_market_price=5250.50',
      'specs.dial_color=Blue',
      'specs.jewels=26',
      'specs.__proto__=["x"]',
    ]
    await edit(database, clock, set, ['specs.b', 'specs.unknown'])
    const after = await dump(database)
    expect(changedIds(before, after)).toEqual([1])
    const rolex = before.brands.find(({ name }) => name === 'Rolex')?.id
    const prices = { retail_price_usd: 7_000, current_market_price: 5_250.5 }
    expect(after.watches[0]).toMatchObject({
      brand_id: rolex,
      collection: 'Speedmaster',
      reference_number: 'X=1',
      ...prices,
      specs: '{"2":"x","dial_color":"Blue","jewels":26,"__proto__":["x"]}',
    })
    expect(after.prices).toEqual([{ watch_id: 1, date: '2026-03-01', ...prices, source: 'operator' }])
    const [updated, priced] = await changesSince(database, before)
    expect([updated?.type, priced?.type]).toEqual(['watch.updated', 'watch.price_changed'])
    const changes = Object.values(updated?.data ?? {})
    expect(changes.flatMap(Object.entries)).toEqual([
      ['brand', { old: 'Omega', new: 'Rolex' }],
      ['collection', { old: '', new: 'Speedmaster' }],
      ['reference_number', { old: '310.30.42.50.01.001', new: 'X=1' }],
      ['specs.b', { old: 1, new: null }],
      ['specs.dial_color', { old: 'Black', new: 'Blue' }],
      ['specs.jewels', { old: null, new: 26 }],
      ['specs.__proto__', { old: null, new: ['x'] }],
    ])
    expect(priced?.data).toEqual({
      old: { retail_price_usd: null, current_market_price: null },
      new: prices,
      updated_at: after.watches[0]?.updated_at,
    })
  })

  test('has keys that look like numbers first after an edit, as after an export and import', async () => {
    const { database, clock } = await open(engine)
    await edit(database, clock, ['specs.10={"b":1,"1":2}', 'specs.__proto__=1', 'specs.7=x'], ['specs.b'])
    const specs = (await dump(database)).watches[0]?.specs ?? ''
    expect(specs).toBe('{"2":"x","7":"x","10":{"1":2,"b":1},"dial_color":"Black","__proto__":1}')
    expect(JSON.stringify(JSON.parse(specs))).toBe(specs)
  })

  test('with keys that contain = is edited in the longest matching key, else up to the first =', async () => {
    const { finder } = unchanged()
    const row = { ...fields, specs: '{"a":1,"a=b":2,"a=b=c ":3}' }
    const specsAfter = (written: string) => parseWatchEdit([written], [], finder, row.specs)(row).specs
    expect(specsAfter('specs.a=b=c =x')).toBe('{"a":1,"a=b":2,"a=b=c ":"x"}')
    expect(specsAfter('specs.a=b=x=y')).toBe('{"a":1,"a=b":"x=y","a=b=c ":3}')
    expect(specsAfter('specs.a=x')).toBe('{"a":"x","a=b":2,"a=b=c ":3}')
    expect(specsAfter('specs.z=x=y')).toBe('{"a":1,"a=b":2,"a=b=c ":3,"z":"x=y"}')
  })

  test('that already has the given values is not written', async () => {
    const { database, clock } = await open(engine)
    const before = await dump(database)
    await edit(
      database,
      clock,
      ['brand=OMEGA', 'specs.dial_color="Black"', 'specs.b=1.0'],
      ['retail_price_usd'],
    )
    expect(await dump(database)).toEqual(before)
  })

  test('loses fields that are unset', async () => {
    const { database, clock } = await open(engine)
    await edit(database, clock, ['collection=x', 'retail_price_usd=1', 'current_market_price=2'])
    await edit(database, clock, [], ['collection', 'retail_price_usd', 'current_market_price', 'specs.b'])
    expect((await dump(database)).watches[0]).toMatchObject({
      collection: '',
      retail_price_usd: null,
      current_market_price: null,
      specs: '{"2":"x","dial_color":"Black"}',
    })
  })

  test.each([
    [['colection=x'], [], 'A watch has no field "colection": write collection.'],
    [['constructor=x'], [], /no field "constructor"/],
    [['brand=Omgea'], [], 'There is no brand "Omgea": write Omega, or see `watchdata brand list`.'],
    [['brand='], [], /no brand ""/],
    [['reference_number= '], [], 'reference_number must not be empty.'],
    [['reference_number=a\u0007'], [], /control characters/],
    [['collection=a\u0000'], [], /control characters/],
    [['retail_price_usd=-1'], [], /must be a number of dollars/],
    [['retail_price_usd=1e999'], [], /must be a number of dollars/],
    [['retail_price_usd=1000000000000.5'], [], /is 1,000,000,000,000 at most/],
    [['retail_price_usd=6,600'], [], /must be a number of dollars/],
    [['retail_price_usd='], [], /say --unset retail_price_usd/],
    [['retail_price_usd=Infinity'], [], /must be a number of dollars/],
    [[`specs.${'k'.repeat(129)}=1`], [], /at most 128 characters/],
    [['specs.=1'], [], 'A spec key must not be empty.'],
    [['specs.a='], [], /say --unset/],
    [['specs.a\nb=1'], [], /control characters/],
    [['specs'], [], '"specs" has no =: write it as field=value.'],
    [[], ['brand'], 'A watch must have a brand: set another one instead.'],
    [[], ['id'], /no field "id"/],
    [['collection=a', 'collection=b'], [], 'collection is named twice: keep one of the two.'],
    [['specs.a=1'], ['specs.a'], 'specs.a is named twice: keep one of the two.'],
    [[], [], 'Nothing is to be changed: say --set field=value or --unset field.'],
  ])('rejects %j and %j with a sentence', async (set, unset, message) => {
    const { finder } = await open(engine)
    expect(() => parseWatchEdit(set, unset, finder)).toThrow(Failure)
    expect(() => parseWatchEdit(set, unset, finder)).toThrow(message)
    expect(() => parseWatchEdit(set, unset, finder)).toThrow(/\.$/)
  })

  test('that was deleted is not edited', async () => {
    const { database, clock, finder } = await open(engine)
    const change = parseWatchEdit(['collection=x'], [], finder)
    expect(await editWatch({ database, clock, finder }, 404, change)).toBeUndefined()
  })

  test('lists its edits field by field, prices too', async () => {
    const { database, finder } = await open(engine)
    const [row] = (await findWatches(database.reader, '1')).rows
    if (row === undefined) throw new Error('no watch')
    const change = parseWatchEdit(['retail_price_usd=5', 'specs.b=2'], [], finder)
    expect(listEdits(row, change(row), (id) => finder.name(id))).toEqual([
      { field: 'specs.b', old: 1, new: 2 },
      { field: 'retail_price_usd', old: null, new: 5 },
    ])
  })
})

describeEachEngine('watches', (engine) => {
  test('are deleted with their prices, each with a log entry, also by the thousand', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(
      database,
      Array.from({ length: 2_100 }, () => ({ brand: 'Omega' })),
    )
    const before = await dump(database)
    const ids = Array.from({ length: 2_100 }, (_, at) => at + 2)
    // One of the ids does not exist.
    expect(await deleteInSteps(careParts(database, clock), ids)).toBe(2_099)
    expect((await dump(database)).watches.map(({ id }) => id)).toEqual([1])
    const told = await changesSince(database, before)
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(['watch.deleted']))
    expect(told.map(({ subjectId }) => subjectId).toSorted((one, other) => one - other)).toEqual(
      ids.slice(0, -1),
    )
  })
})
