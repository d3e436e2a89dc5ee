// Tests the short list of a query that other pages embed: the total, the rows, and an API call that returns the same.
import { expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
import { makeShortList } from '../../src/http/routes/explore/list.ts'
import { shortResults } from '../../web/pages/explore/explore-results.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { buildFresh, storeCatalogue } from '../search/stored-catalogue.ts'

const engine = createEngine()

test('a short list has the total, at most the given number of rows, and the API call for them', async () => {
  const { database } = await openFresh(engine)
  const watch = (at: number) => ({
    brand: 0,
    step: 1,
    collection: `Oak ${at}`,
    reference_number: `<${at}>`,
    retail_price_usd: at,
    current_market_price: null,
    specs: JSON.stringify({ water_resistance: at % 2 === 0 ? '100 m' : '30 m' }),
    updated_at: '2026-03-01T00:00:00.000Z',
  })
  await storeCatalogue(database, {
    brands: [{ name: 'Omega', slug: 'omega', aliases: [] }],
    watches: Array.from({ length: 10 }, (_, at) => watch(at)),
  })
  const index = await buildFresh(database)
  const list = await makeShortList(
    index,
    'a',
    'spec[water_resistance][gte]=330%20ft&page=7&per_page=99&junk=1',
    3,
  )
  expect([list.total, list.rows.map(({ id }) => id)]).toEqual([5, [1, 3, 5]])
  expect(list.call).toBe('/watches?spec[water_resistance][gte]=330%20ft&per_page=3')
  expect(list.href).toBe('/explore?spec[water_resistance][gte]=330%20ft')
  const { text } = shortResults('try', 'http://localhost:8080', list)
  expect(text).toContain('5 watches')
  expect(text).toContain('→ 100 m')
  expect(text).toContain('&lt;0&gt;')
  expect(text).toContain('id="try-curl"')
  expect((await makeShortList(index, 'a', 'q=nothing', 3)).rows).toEqual([])
  await expect(makeShortList(index, 'a', 'spec[water_resistance][gte]=deep', 3)).rejects.toThrow(Problem)
})
