// Tests that a list by id that is read page by page has every watch that was there all the time, once, while others
// are deleted and added between any two pages.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBrand } from '../../src/catalogue/brands.ts'
import { createWatch, deleteWatches } from '../../src/catalogue/watches.ts'
import { getHead, recordChanges } from '../../src/changes/log.ts'
import { openLog } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { createEngine, describeWithPostgres, type Engine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated, plentiful } from '../databases/open-database.ts'
import { endLater } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'

const walks = 3
const steps = fc.array(fc.record({ deletes: fc.array(fc.nat(), { maxLength: 4 }), adds: fc.nat(3) }), {
  minLength: 4,
  maxLength: 12,
})

// PostgreSQL tells the server of changes at once.
describeWithPostgres('a list by id that is read along its links', (url) => {
  test('misses no watch while the catalogue changes', () => walkWhileItChanges(createEngine(url)))
})

async function walkWhileItChanges(engine: Engine): Promise<void> {
  const clock = manualClock()
  const config = { ...(await freshConfig(engine, 'sample')), ...plentiful }
  const server = await startServer(config, openLog(config), clock)
  endLater(() => server.close())
  const database = await openUnmigrated(config)
  const brandId = await recordChanges(database, clock, (tx, record) =>
    createBrand(tx, clock, record, {
      ...{ name: 'New', slug: 'new', aliases: [] },
      ...{ country: null, founded_year: null, website: null },
    }),
  )
  let added = 0

  async function get(path: string) {
    const { sequence } = await getHead(database.reader)
    const headers = { authorization: `Bearer ${server.demoKey}`, 'x-min-sequence': String(sequence) }
    const response = await fetch(`${server.baseUrl}/api/v1${path}`, { headers })
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { id: number }[] }
    const next = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    return { ids: data.map(({ id }) => id), next }
  }

  async function everyId(filter: string): Promise<number[]> {
    const ids: number[] = []
    for (let path: string | undefined = `/watches?${filter}&after=0&per_page=100`; path !== undefined; ) {
      const page = await get(path)
      ids.push(...page.ids)
      path = page.next
    }
    return ids
  }

  const property = fc.asyncProperty(
    steps,
    fc.constantFrom('', 'spec[movement_type]=automatic', 'brand=omega'),
    fc.boolean(),
    async (changes, filter, isPlain) => {
      const before = await everyId(filter)
      const gone = new Set<number>()
      const seen: number[] = []
      const start = isPlain ? '' : '&after=0'
      let path: string | undefined = `/watches?${filter}${start}&per_page=${Math.ceil(before.length / 4)}`
      for (let step = 0; path !== undefined; step++) {
        const page = await get(path)
        seen.push(...page.ids)
        path = page.next
        const { deletes, adds } = changes[step % changes.length] ?? { deletes: [], adds: 0 }
        const ids = new Set(deletes.map((at) => before[at % before.length] as number))
        if (gone.size < before.length / 2) for (const id of ids) gone.add(id)
        await change(
          [...ids].filter((id) => gone.has(id)),
          adds,
        )
      }
      expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other))
      expect(before.filter((id) => !gone.has(id) && !seen.includes(id))).toEqual([])
    },
  )
  await fc.assert(property, { numRuns: walks })

  function change(deleted: readonly number[], adds: number): Promise<unknown> {
    return recordChanges(database, clock, async (tx, record) => {
      if (deleted.length > 0) await deleteWatches(tx, record, deleted)
      for (let one = 0; one < adds; one++) {
        added += 1
        const names = { brand_id: brandId, collection: 'New', reference_number: `N-${added}` }
        const prices = { retail_price_usd: null, current_market_price: null }
        const draft = { ...names, ...prices, specs: { movement_type: 'Automatic' } }
        await createWatch(tx, clock, record, draft, { date: '2026-01-01', source: 'test' })
      }
    })
  }
}
