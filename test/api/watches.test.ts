// Tests GET /api/v1/watches with the sample, as a caller sees it.
import { describe, expect, test, vi } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { deleteWatches } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { beginEpoch } from '../../src/storage/migrate.ts'
import { setPriceWithin } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { startPlanServer } from './plan-server.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
const total = sample.watches.length
const clock = manualClock()

describeEachEngine('GET /watches', (engine) => {
  /** The last tests change its first two watches. */
  const shared = share(() => startPlanServer(engine))

  test('returns the whole sample, page by page, in order of id, each watch once', async () => {
    const server = shared()
    const seen: { id: number; reference_number: string }[] = []
    for (let page = 1; seen.length < total; page++) {
      const response = await server.get(`/api/v1/watches?page=${page}&per_page=100`)
      expect(response.status).toBe(200)
      const { data, meta } = (await response.json()) as { data: typeof seen; meta: object }
      expect(meta).toEqual({ current_page: page, per_page: 100, total })
      expect(data.length).toBeGreaterThan(0)
      seen.push(...data)
    }
    expect(seen.map(({ reference_number }) => reference_number)).toEqual(
      sample.watches.map(({ reference_number }) => reference_number),
    )
    expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).sort((one, other) => one - other))
  })

  test('has 25 watches per page by default, with the documented fields in order', async () => {
    const server = shared()
    const response = await server.get('/api/v1/watches')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { data, meta } = (await response.json()) as { data: object[]; meta: object }
    expect(meta).toEqual({ current_page: 1, per_page: 25, total })
    expect(data).toHaveLength(25)
    for (const watch of data) {
      expect(Object.keys(watch)).toEqual([
        'id',
        'brand',
        'collection',
        'reference_number',
        'retail_price_usd',
        'current_market_price',
        'specs',
        'updated_at',
      ])
    }
  })

  test('past the end is an empty page with the correct total', async () => {
    const server = shared()
    const response = await server.get('/api/v1/watches?page=1000000000')
    expect(await response.json()).toEqual({
      data: [],
      meta: { current_page: 1_000_000_000, per_page: 25, total },
    })
  })

  test('links to the first, previous, next and last page', async () => {
    const server = shared()
    const links = (await server.get('/api/v1/watches?page=2&per_page=100')).headers.get('link') ?? ''
    const page = (number: number, after = '') =>
      `<${server.baseUrl}/api/v1/watches?page=${number}&per_page=100${after}>`
    const { data } = (await (await server.get('/api/v1/watches?page=2&per_page=100')).json()) as {
      data: { id: number }[]
    }
    const last = Math.ceil(total / 100)
    expect(links).toBe(
      `${page(1)}; rel="first", ${page(1)}; rel="prev", ${page(3, `&after=${data.at(-1)?.id}`)}; rel="next", ${page(last)}; rel="last"`,
    )
  })

  test('reports every invalid parameter at once, each by its name', async () => {
    const server = shared()
    const response = await server.get('/api/v1/watches?page=0&per_page=ten')
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({
      message: 'The given data was invalid.',
      errors: {
        page: ['The page must be between 1 and 1000000000.'],
        per_page: ['The per page must be an integer.'],
      },
    })
  })

  test('shows what another process wrote, without a restart', async () => {
    const server = shared()
    const { database: other } = server
    const [first] = await firstWatches(server)
    const price = { retail_price_usd: 1, current_market_price: 2.5 }
    await recordChanges(other, clock, async (tx, record) => {
      await setPriceWithin({ tx, record, database: other, clock }, first?.id ?? 0, price)
      await deleteWatches(tx, record, [(first?.id ?? 0) + 1])
    })
    await vi.waitFor(async () => expect((await firstWatches(server))[0]).toMatchObject(price), patience)
    const after = await (await server.get('/api/v1/watches?per_page=2')).json()
    expect(after).toMatchObject({ meta: { total: total - 1 } })
  })

  test('serves a rebuilt index after the database was replaced', async () => {
    const server = shared()
    const { database: other } = server
    const [first] = await firstWatches(server)
    await other.write(async (tx) => {
      // Like a restore: other rows, no log entry for them, another epoch.
      await tx
        .updateTable('watches')
        .set({ collection: 'Restored' })
        .where('id', '=', first?.id ?? 0)
        .execute()
      await beginEpoch(tx, clock)
    })
    await vi.waitFor(
      async () => expect((await firstWatches(server))[0]?.collection).toBe('Restored'),
      patience,
    )
  })
})

describe('GET /watches/{id}', () => {
  const server = serveSample()

  test('returns the same watch as the list', async () => {
    const { data } = (await (await server.get('/api/v1/watches?ids=7')).json()) as { data: object[] }
    expect(await (await server.get('/api/v1/watches/7')).json()).toEqual({ data: data[0] })
  })

  test('is 404 for anything that is not the id of a watch', async () => {
    const ids = '0 -1 01 1.0 1e2 x %20 999999 9007199254740993 1%00 __proto__ 1,2 1%2F2'.split(' ')
    for (const id of ids) {
      const response = await server.get(`/api/v1/watches/${id}`)
      expect([id, response.status, await response.text()]).toEqual([
        id,
        404,
        '{"message":"Resource not found."}',
      ])
    }
  })
})

type Watch = { id: number; collection: string }

async function firstWatches(server: { get(path: string): Promise<Response> }): Promise<Watch[]> {
  const { data } = (await (await server.get('/api/v1/watches?per_page=2')).json()) as { data: Watch[] }
  return data
}
