// Guarantees about editing and merging brands on both engines: every visible change of a watch is logged, a name
// belongs to one brand, and an interrupted run is completed by running it again.
import { expect, test } from 'vitest'
import { parseBrandEdit, type RawBrandEdit } from '../../src/catalogue/edit/brand-rules.ts'
import { editBrand } from '../../src/catalogue/edit/edit-brand.ts'
import { getBrand } from '../../src/catalogue/edit/get-brand.ts'
import { mergeBrands } from '../../src/catalogue/edit/merge-brands.ts'
import { BrandFinder } from '../../src/catalogue/find-brand.ts'
import { listBrands } from '../../src/catalogue/survey/list-brands.ts'
import type { Clock } from '../../src/clock.ts'
import { Failure } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { careParts, changedIds, changesSince, dump, dyingAfter, storeWatches } from './care-catalogue.ts'

/** Slightly more than two steps. */
const many = 2_100

const watchesOf = (brand: string, count: number) => Array.from({ length: count }, () => ({ brand }))

async function edit(
  database: Database,
  clock: Clock,
  brand: string,
  written: RawBrandEdit,
  isDryRun = false,
) {
  const { id } = getBrand(await BrandFinder.read(database.reader), brand)
  return editBrand(careParts(database, clock, isDryRun), id, parseBrandEdit(written))
}

async function merge(
  database: Database,
  clock: Clock,
  from: readonly string[],
  into: string,
  isDryRun = false,
) {
  const finder = await BrandFinder.read(database.reader)
  return mergeBrands(careParts(database, clock, isDryRun), {
    from: from.map((one) => getBrand(finder, one)),
    into: getBrand(finder, into),
  })
}

const namesOf = async (database: Database) =>
  (await dump(database)).brands.map(({ name, aliases }) => [name, ...JSON.parse(aliases)])

describeEachEngine('a brand', (engine) => {
  test('is edited in the given fields, with an entry in the log, and its watches stay unchanged', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, watchesOf('Omega', 3))
    const before = await dump(database)
    const written = {
      slug: 'omega-watches',
      country: 'Switzerland',
      founded: '1848',
      website: 'https://www.omegawatches.com',
      alias: ['Ω', 'ω'],
    }
    await edit(database, clock, 'omega', written, true)
    expect(await dump(database)).toEqual(before)
    await edit(database, clock, 'omega', written)
    const after = await dump(database)
    expect(after.brands).toMatchObject([
      { name: 'Omega', slug: 'omega-watches', country: 'Switzerland', founded_year: 1848, aliases: '["Ω"]' },
    ])
    expect((after.brands[0]?.updated_at ?? '') > (before.brands[0]?.updated_at ?? '')).toBe(true)
    expect(changedIds(before, after)).toEqual([])
    expect(await changesSince(database, before)).toMatchObject([
      {
        type: 'brand.updated',
        subjectId: before.brands[0]?.id,
        data: {
          changes: {
            slug: { old: 'omega', new: 'omega-watches' },
            country: { old: null, new: 'Switzerland' },
            founded_year: { old: null, new: 1848 },
            website: { old: null, new: 'https://www.omegawatches.com' },
            aliases: { old: [], new: ['Ω'] },
          },
        },
      },
    ])
    await edit(database, clock, 'Ω', { country: '', founded: '', website: '', removeAlias: [' ω '] })
    expect((await dump(database)).brands).toMatchObject([
      { country: null, founded_year: null, website: null, aliases: '[]' },
    ])
  })

  test('that already has the given values is not written', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, watchesOf('Omega', 3))
    const before = await dump(database)
    await edit(database, clock, 'Omega', { name: 'Omega', slug: 'omega', country: '', removeAlias: ['x'] })
    expect(await dump(database)).toEqual(before)
  })

  test('that is renamed is logged with each of its watches, and keeps the old name as an alias', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, [...watchesOf('Omgea', many), ...watchesOf('Tudor', 2)])
    const before = await dump(database)
    expect(await edit(database, clock, 'omgea', { name: 'Omega' }, true)).toMatchObject({ watches: many })
    expect(await dump(database)).toEqual(before)
    expect(await edit(database, clock, 'omgea', { name: 'Omega' })).toMatchObject({ watches: many })
    const after = await dump(database)
    const own = Array.from({ length: many }, (_, at) => at + 1)
    expect(changedIds(before, after)).toEqual(own)
    const [first, ...others] = await changesSince(database, before)
    expect(first).toMatchObject({
      type: 'brand.updated',
      data: { changes: { name: { old: 'Omgea', new: 'Omega' }, aliases: { old: [], new: ['Omgea'] } } },
    })
    expect(others.map(({ type, subjectId, data }) => [type, subjectId, data])).toEqual(
      own.map((id) => ['watch.updated', id, { changes: { brand: { old: 'Omgea', new: 'Omega' } } }]),
    )
    expect(await edit(database, clock, 'omgea', { name: 'Omega' })).toMatchObject({ watches: 0, changes: {} })
    expect(await dump(database)).toEqual(after)
  })

  test('that gets a new slug is still found by the old one', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, watchesOf('Omega SA', 1))
    await edit(database, clock, 'omega-sa', { slug: 'omega' })
    expect(await namesOf(database)).toEqual([['Omega SA', 'omega-sa']])
    expect(getBrand(await BrandFinder.read(database.reader), 'omega-sa').slug).toBe('omega')
    await edit(database, clock, 'omega', { slug: 'omega-2', removeAlias: ['omega'] })
    expect(await namesOf(database)).toEqual([['Omega SA', 'omega-sa']])
  })

  test('that is renamed only in case gets no alias', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, watchesOf('OMEGA', 1))
    await edit(database, clock, 'omega', { name: 'Omega' })
    expect(await namesOf(database)).toEqual([['Omega']])
  })

  test.each([1, 2, 3])(
    'whose rename was killed after %i steps is logged completely by a second run',
    async (steps) => {
      const { database, clock } = await openFresh(engine)
      await storeWatches(database, watchesOf('Omgea', many))
      const before = await dump(database)
      const killed = edit(dyingAfter(database, steps), clock, 'Omgea', { name: 'Omega' })
      await expect(killed).rejects.toThrow('killed')
      // A watch that changes for another reason in between is logged as well.
      await setPrice(database, clock, many, { retail_price_usd: 1, current_market_price: 1 })
      await edit(database, clock, 'Omgea', { name: 'Omega' })
      const told = (await changesSince(database, before)).filter(({ type }) => type === 'watch.updated')
      expect(told.map(({ subjectId }) => subjectId)).toEqual(Array.from({ length: many }, (_, at) => at + 1))
      expect(new Set(told.map(({ data }) => JSON.stringify(data)))).toEqual(
        new Set(['{"changes":{"brand":{"old":"Omgea","new":"Omega"}}}']),
      )
      expect(
        (await changesSince(database, before)).filter(({ type }) => type === 'brand.updated'),
      ).toHaveLength(1)
    },
  )

  test.each<[RawBrandEdit, string]>([
    [{ name: 'TUDOR' }, 'the name of another'],
    [{ name: 'tudor-watches' }, 'the slug of another'],
    [{ name: ' rose ' }, 'the alias of another'],
    [{ slug: 'tudor-watches' }, 'the slug of another'],
    [{ slug: 'rose' }, 'the alias of another'],
    [{ alias: ['x', 'Rose'] }, 'the alias of another'],
  ])('cannot be set to %j, which is %s', async (written) => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, [...watchesOf('Omega', 1), ...watchesOf('Tudor', 1)])
    await edit(database, clock, 'Tudor', { slug: 'tudor-watches', alias: ['Rose'] })
    const before = await dump(database)
    const refused = edit(database, clock, 'Omega', written)
    await expect(refused).rejects.toThrow(/is already used by Tudor \(\d+\): choose another/)
    expect(await dump(database)).toEqual(before)
  })

  test.each([
    { name: '' },
    { name: 'a\u0000b' },
    { slug: 'Omega' },
    { slug: '12' },
    { slug: 'a--b' },
    { slug: '' },
    { founded: '18' },
    { founded: '0999' },
    { website: 'omega.com' },
    { website: 'javascript:alert(1)' },
    { alias: [''] },
  ])('cannot be changed to %j', (written) => {
    expect(() => parseBrandEdit(written)).toThrow(Failure)
    expect(() => parseBrandEdit(written)).toThrow(/\.$/)
  })

  test('is listed by name, with the number of its watches and of its collections in any spelling', async () => {
    const { database } = await openFresh(engine)
    await storeWatches(database, [
      { brand: 'Tudor', collection: 'Black Bay' },
      { brand: 'Tudor', collection: 'black  bay' },
      { brand: 'Tudor', collection: 'Royal' },
      { brand: 'Tudor' },
      { brand: 'éclat' },
      { brand: 'alpina' },
    ])
    const listed = await database.snapshot(listBrands)
    expect(listed.map((one) => [one.name, one.watches_count, one.collections_count])).toEqual([
      ['alpina', 1, 0],
      ['Tudor', 4, 2],
      ['éclat', 1, 0],
    ])
  })
})

describeEachEngine('brands', (engine) => {
  const catalogue = [
    { brand: 'Omega', reference: '310.30' },
    { brand: 'OMEGA SA', reference: '310-30' },
    { brand: 'Omega Watches', reference: '311' },
    { brand: 'OMEGA SA', reference: '312' },
    { brand: 'Omega Watches', reference: '31 2' },
    { brand: 'Tudor', reference: '312' },
  ]

  test('that are merged become one: watches move, names become aliases, and the log has every change', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, catalogue)
    await edit(database, clock, 'Omega Watches', { alias: ['Ω', 'omega sa bienne'] })
    const before = await dump(database)
    const idOf = (name: string) => before.brands.find((brand) => brand.name === name)?.id
    const from = ['OMEGA SA', 'Omega Watches']
    const foretold = await merge(database, clock, from, 'Omega', true)
    expect(await dump(database)).toEqual(before)
    const result = await merge(database, clock, from, 'Omega')
    expect(result).toEqual(foretold)
    expect(result).toEqual({
      watches: 4,
      aliases: ['OMEGA SA', 'Omega Watches', 'Ω', 'omega sa bienne', 'omega-sa', 'omega-watches'],
      doubles: [
        { reference_number: '310-30', ids: [2, 1] },
        { reference_number: '312', ids: [4, 5] },
      ],
      areDoublesCut: false,
    })
    const after = await dump(database)
    expect(after.brands.map(({ name }) => name)).toEqual(['Omega', 'Tudor'])
    expect(changedIds(before, after)).toEqual([2, 3, 4, 5])
    expect(after.watches.map(({ brand_id }) => brand_id === idOf('Omega'))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
    const changes = await changesSince(database, before)
    expect(changes.map(({ type, subjectId, data }) => [type, subjectId, data])).toEqual([
      ['watch.updated', 2, { changes: { brand: { old: 'OMEGA SA', new: 'Omega' } } }],
      ['watch.updated', 3, { changes: { brand: { old: 'Omega Watches', new: 'Omega' } } }],
      ['watch.updated', 4, { changes: { brand: { old: 'OMEGA SA', new: 'Omega' } } }],
      ['watch.updated', 5, { changes: { brand: { old: 'Omega Watches', new: 'Omega' } } }],
      [
        'brand.updated',
        idOf('Omega'),
        {
          changes: { aliases: { old: [], new: result.aliases } },
          merged: [
            { id: idOf('OMEGA SA'), name: 'OMEGA SA', slug: 'omega-sa' },
            { id: idOf('Omega Watches'), name: 'Omega Watches', slug: 'omega-watches' },
          ],
        },
      ],
    ])
    // Every former name finds the remaining brand.
    const finder = await BrandFinder.read(database.reader)
    for (const name of ['omega sa', 'Ω', 'OMEGA WATCHES', 'omega-sa', 'omega-watches'])
      expect(finder.find(name)?.name).toBe('Omega')
  })

  test('without watches are merged too', async () => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, catalogue)
    await database.write((tx) => tx.deleteFrom('watches').execute())
    expect(await merge(database, clock, ['OMEGA SA'], 'Omega')).toMatchObject({ watches: 0 })
    expect(await namesOf(database)).toEqual([['Omega', 'OMEGA SA', 'omega-sa'], ['Omega Watches'], ['Tudor']])
  })

  test.each([1, 2])('whose merge was killed after %i steps are merged by a second run', async (steps) => {
    const { database, clock } = await openFresh(engine)
    await storeWatches(database, [...watchesOf('Omega', 1), ...watchesOf('OMEGA SA', many)])
    const before = await dump(database)
    const killed = merge(dyingAfter(database, steps), clock, ['omega sa'], 'Omega')
    await expect(killed).rejects.toThrow('killed')
    expect(await namesOf(database)).toEqual([['Omega'], ['OMEGA SA']])
    expect(await merge(database, clock, ['omega sa'], 'Omega')).toMatchObject({
      watches: many - steps * 1_000,
    })
    expect(await namesOf(database)).toEqual([['Omega', 'OMEGA SA', 'omega-sa']])
    const told = (await changesSince(database, before)).map(({ type }) => type)
    expect(told).toEqual([...Array.from({ length: many }, () => 'watch.updated'), 'brand.updated'])
    expect(new Set((await dump(database)).watches.map(({ brand_id }) => brand_id)).size).toBe(1)
  })
})
