// Tests how a serving process follows brands that another process renames or merges: it reads the change log, and
// rebuilds the index where it has to.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CacheBudget, megabyte } from '../../src/cache-budget.ts'
import { editBrand } from '../../src/catalogue/edit/edit-brand.ts'
import { mergeBrands } from '../../src/catalogue/edit/merge-brands.ts'
import { BrandFinder } from '../../src/catalogue/find-brand.ts'
import { getHead } from '../../src/changes/log.ts'
import { openLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { FairTurns } from '../../src/search/index/fair-turns.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { openLiveIndex } from '../../src/search/live/live-index.ts'
import { parseListQuery, parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { brandSorts, listBrands } from '../../src/search/results/list-brands.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { careParts, storeWatches } from '../conformance/care-catalogue.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { buildFresh, vocabulary } from './stored-catalogue.ts'

const eventually = { ...patience, interval: 5 }
const clock = manualClock()
const engine = createEngine()

/** More watches than are indexed in the main thread, and more than one step of a merge. */
const many = 3_500

async function serve(counts: Record<string, number>) {
  const { database, config } = await openFresh(engine)
  await storeWatches(
    database,
    Object.entries(counts).flatMap(([brand, count]) => Array.from({ length: count }, () => ({ brand }))),
  )
  const log = openLog(config)
  const live = await openLiveIndex({
    turns: new FairTurns(),
    database,
    config,
    vocabulary,
    metrics: createMetrics(),
    log,
    budget: new CacheBudget(16 * megabyte),
  })
  onTestFinished(() => live.stop())
  const arrived = async () => {
    const { sequence } = await getHead(database.reader)
    await vi.waitFor(() => expect(live.current.head.sequence).toBe(sequence), eventually)
    // Whether changed in place or rebuilt, the index must equal a fresh build.
    const fresh = await buildFresh(database)
    const query = 'per_page=100&facets=brand&sort=brand'
    expect(bodyOf(live.current, query)).toBe(bodyOf(fresh, query))
    expect(brandsOf(live.current)).toEqual(brandsOf(fresh))
  }
  return { database, live, finder: await BrandFinder.read(database.reader), arrived }
}

const bodyOf = (index: WatchIndex, written: string) =>
  prepareList(index, parseWatchQuery(written, vocabulary)).find().body().toString()
const totalOf = (index: WatchIndex, written: string) => JSON.parse(bodyOf(index, written)).meta.total
const brandsOf = (index: WatchIndex) => listBrands(index, parseListQuery('', brandSorts)).brands

describe.each([30, many])('of %i watches', (count) => {
  test('a merged brand is gone, and its watches and names belong to the other brand', async () => {
    const { database, live, finder, arrived } = await serve({ Omega: 2, 'OMEGA SA': count, Tudor: 1 })
    const [into, from] = [finder.find('Omega'), finder.find('OMEGA SA')]
    if (into === undefined || from === undefined) throw new Error('no brands')
    await mergeBrands(careParts(database, clock), { from: [from], into })
    await arrived()
    expect(brandsOf(live.current).map(({ name, watches_count }) => [name, watches_count])).toEqual([
      ['Omega', count + 2],
      ['Tudor', 1],
    ])
    expect(live.current.brands.findByPath('omega-sa')).toBeUndefined()
    expect(totalOf(live.current, 'brand=omega%20sa')).toBe(count + 2)
    expect(totalOf(live.current, 'q=sa')).toBe(0)
  })

  test('a renamed brand has its new name in every watch, and is found by both names', async () => {
    const { database, live, finder, arrived } = await serve({ Omgea: count, Tudor: 1 })
    const { id } = finder.find('Omgea') ?? { id: 0 }
    await editBrand(careParts(database, clock), id, { name: 'Omega', addAliases: [], removeAliases: [] })
    await arrived()
    for (const name of ['omega', 'omgea']) expect(totalOf(live.current, `brand=${name}`)).toBe(count)
    expect([totalOf(live.current, 'q=omega'), totalOf(live.current, 'q=omgea')]).toEqual([count, count])
  })
})

test('an edit of a brand that keeps its name changes the index in place', async () => {
  const { database, live, finder, arrived } = await serve({ Omega: 3 })
  const index = live.current
  const { id } = finder.find('Omega') ?? { id: 0 }
  await editBrand(careParts(database, clock), id, { slug: 'om', addAliases: ['Ω'], removeAliases: [] })
  await arrived()
  expect(live.current).toBe(index)
  expect(index.brands.findByPath('om')?.aliases).toBe('["Ω"]')
})
