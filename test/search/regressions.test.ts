// Past bugs of the index, each in its smallest form.
import { describe, expect, test } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { prepareSelection } from '../../src/search/results/find-matches.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { buildFresh, storeCatalogue, vocabulary } from './stored-catalogue.ts'

describe('the index', () => {
  const engine = createEngine()

  function indexOf(...documents: object[]): Promise<WatchIndex> {
    return indexWith(documents.map((specs) => ({ specs })))
  }

  async function indexWith(given: { specs?: object; reference?: string }[]): Promise<WatchIndex> {
    const { database } = await openFresh(engine)
    const watches = given.map(({ specs = {}, reference = '310' }) => ({
      brand: 0,
      step: 1,
      collection: 'Speedmaster',
      reference_number: reference,
      retail_price_usd: null,
      current_market_price: null,
      specs: JSON.stringify(specs),
      updated_at: '2026-03-01T00:00:00.000Z',
    }))
    await storeCatalogue(database, { brands: [{ name: 'Omega', slug: 'omega', aliases: [] }], watches })
    return buildFresh(database)
  }

  test('lists a key that no watch has a value for', async () => {
    const index = await indexOf({ functions: [] }, { functions: [[], null] })
    expect(index.hasKey('functions')).toBe(true)
    expect(listKeys(index)).toEqual([
      { key: 'functions', type: 'text', unit: null, watches_count: 2, values_count: 0, examples: [] },
    ])
  })

  test('lists the same keys whether built or changed in place', async () => {
    const index = await indexOf({ functions: ['Date'] })
    const { brand, specs, ...row } = JSON.parse(index.rows.get(0).toString())
    const changed = { ...row, brand_id: index.columns.brandId(0), specs: '{"functions":[]}' }
    expect(
      index.apply({ watches: new Map([[1, changed]]), sequence: 1, commitId: '', readAt: 1, at: '' }),
    ).toBe(true)
    const fresh = await indexOf({ functions: [] })
    expect(listKeys(index)).toEqual(listKeys(fresh))
  })

  test('finds a number by its digits as given', async () => {
    const index = await indexOf({ size: '39.50' }, { size: '39.5' }, { size: 39.5 })
    expect(askFor(index, 'q=39.50').meta.total).toBe(1)
    expect(askFor(index, 'q=39.5').meta.total).toBe(3)
  })

  test.each([
    ['#310', '310'],
    ['É310', 'é310'],
    ['191.032 #5', '191032 omega'],
  ])('finds the reference %s by %s', async (reference, written) => {
    const index = await indexWith([{ reference }, { reference: 'other' }])
    expect(askFor(index, `q=${encodeURIComponent(written)}`).meta.total).toBe(1)
  })

  test('finds every reference in any script', async () => {
    const references = ['āz', 'ăa', 'āa', 'ăz', 'az', 'þa', 'ÿz', '😀1', '時計', '時計A', '時']
    const index = await indexWith(references.map((reference) => ({ reference })))
    const found = references.map(
      (reference) => askFor(index, `reference_number=${encodeURIComponent(reference)}`).meta.total,
    )
    expect(found).toEqual(references.map(() => 1))
  })

  test('keeps the cached facets of two queries apart, whatever their keys are', async () => {
    const index = await indexOf({ a: 'x', b: 'black' }, { c: 'q' })
    const value = encodeURIComponent('foo 6:s1:ctq')
    const first = `facets=a&spec[b][]=black&spec[b][]=${value}`
    const expected = askFor(await indexOf({ a: 'x', b: 'black' }, { c: 'q' }), first)
    // This facet's key is the other query's facet followed by the first part of its filters.
    const [name = ''] = prepareSelection(index, parseWatchQuery(first, vocabulary)).name.split(' 6:s1:ctq')
    askFor(index, `facets=${encodeURIComponent(`a ${name}`)}&spec[c]=q`)
    expect(askFor(index, first)).toEqual(expected)
  })
})

function askFor(index: WatchIndex, written: string) {
  return JSON.parse(prepareList(index, parseWatchQuery(written, vocabulary)).find().body().toString())
}
