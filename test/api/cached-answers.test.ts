// Tests that a cached response is exactly the response that was made first, in every encoding.
import { describe, expect, test, vi } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { deleteWatches } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { setPriceWithin } from '../catalogue/catalogue-writes.ts'
import { createEngine } from '../databases/engines.ts'
import { isNightly } from '../depth.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { startPlanServer } from './plan-server.ts'

const codings = ['gzip', 'br', 'zstd']
const codingsTold = `plain and in ${isNightly ? 'every encoding' : 'one encoding in turn; at night in every one'}`
const sample = await readSample()
const clock = manualClock()
const engine = createEngine()
const server = share(() => startPlanServer(engine, { LOG_LEVEL: 'silent' }))

describe('a cached response', () => {
  test(`has the same status, body and headers as the first, ${codingsTold}`, async () => {
    const queries = variedQueries()
    expect(queries.length).toBeGreaterThanOrEqual(200)
    const statuses = new Map<number, number>()
    for (const [at, query] of queries.entries()) {
      const status = await expectSameAnswer(
        query,
        {},
        isNightly ? codings : [codings[at % codings.length] as string],
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses.keys()].sort()).toEqual([200, 422])
    expect(statuses.get(200)).toBeGreaterThanOrEqual(190)
  })

  test('is the same with a request id, or with headers that have no effect', async () => {
    for (const headers of [
      { 'x-request-id': 'trace-1' },
      { 'x-request-id': '<script>' },
      { 'accept-encoding': '' },
      { 'accept-encoding': 'gzip;q=0, *;q=0' },
      { 'accept-encoding': 'deflate' },
      { origin: 'https://example.com' },
      { accept: 'text/html' },
      { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      { range: 'bytes=0-9' },
    ]) {
      expect(await expectSameAnswer('?per_page=2', headers)).toBe(200)
    }
  })

  test('is of the current catalogue after a change', async () => {
    const { database } = server()
    const queries = ['', '?per_page=2', '?sort=retail_price_usd', '?brand=Rolex', '?ids=1,2,3', '?page=14']
    for (const query of queries) await expectSameAnswer(query)
    const price = { retail_price_usd: 0.5, current_market_price: 1.5 }
    await recordChanges(database, clock, async (tx, record) => {
      await setPriceWithin({ tx, record, database, clock }, 1, price)
      await deleteWatches(tx, record, [2])
    })
    const first = async () => (await (await ask('?per_page=2')).json()) as { data: object[]; meta: object }
    await vi.waitFor(async () => expect((await first()).data[0]).toMatchObject(price), patience)
    expect(await first()).toMatchObject({
      data: [{ id: 1 }, { id: 3 }],
      meta: { total: sample.watches.length - 1 },
    })
    for (const query of queries) await expectSameAnswer(query)
    const cheapest = (await (await ask('?sort=retail_price_usd&per_page=1')).json()) as { data: object[] }
    expect(cheapest.data).toMatchObject([{ id: 1 }])
  })
})

/** Asks until the answer is cached and found there, plain and compressed. Returns the status. */
async function expectSameAnswer(
  query: string,
  headers: Record<string, string> = {},
  compressedBy: readonly string[] = codings,
): Promise<number> {
  const first = await readAnswer(await ask(query, headers))
  for (const [at, time] of ['second', 'third', 'fourth'].entries()) {
    const next = await readAnswer(await ask(query, headers))
    // Each request costs one, cached or not.
    expect({ query, time, ...next }).toEqual({ query, time, ...first, remaining: first.remaining - at - 1 })
  }
  if ('accept-encoding' in headers) return first.status
  for (const coding of compressedBy) {
    for (const time of ['first', 'second']) {
      const { status, body } = await readAnswer(await ask(query, { ...headers, 'accept-encoding': coding }))
      expect({ query, coding, time, status, body }).toEqual({
        query,
        coding,
        time,
        status: first.status,
        body: first.body,
      })
    }
  }
  return first.status
}

function ask(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return server().get(`/api/v1/watches${query}`, { headers: { 'accept-encoding': 'identity', ...headers } })
}

async function readAnswer(response: Response) {
  const headers = Object.fromEntries(response.headers)
  // These differ between requests.
  delete headers.date
  if (!/^trace/.test(headers['x-request-id'] ?? '')) delete headers['x-request-id']
  const remaining = Number(headers['x-ratelimit-remaining'])
  delete headers['x-ratelimit-remaining']
  return { status: response.status, remaining, headers, body: await response.text() }
}

function variedQueries(): string[] {
  const write = encodeURIComponent
  const values = new Map<string, string[]>()
  for (const { specs } of sample.watches) {
    for (const [key, value] of Object.entries(specs)) {
      for (const one of [value].flat()) values.set(key, [...(values.get(key) ?? []), String(one)])
    }
  }
  const bySpec = [...values].flatMap(([key, stored]) => {
    const [first = '', second = ''] = new Set(stored)
    return [
      `spec[${key}]=${write(first)}`,
      `spec%5B${key}%5D=${write(second || first)}&per_page=3`,
      `spec[${key}][not]=${write(first)}&sort=-updated_at`,
      `spec[${key}][]=${write(first)}&spec[${key}][]=${write(second || first)}&page=2&per_page=2`,
      `spec[${key}][exists]=false&sort=brand`,
    ]
  })
  const byBrand = sample.brands.map(({ slug }, at) => `brand=${slug}&per_page=${(at % 100) + 1}`)
  const sorts = ['id', 'brand', 'retail_price_usd', 'current_market_price', 'updated_at']
  const bySort = sorts.flatMap((sort) => [`sort=${sort}&page=2`, `sort=-${sort}&per_page=100&page=4`])
  const odd = [
    '',
    '&&&',
    'page=1000000000',
    'page=1&per_page=100',
    'q=royal+oak',
    'q=rol&sort=-retail_price_usd',
    'utm_source=mail&x[y][z]=1',
    'spec[dail_color]=Black',
    'spec[__proto__]=x&spec[constructor]=y',
    'fields=id,specs.dial_color',
    'facets=dial_color,brand&spec[dial_color]=Blue',
    'explain=1&spec[water_resistance]=330+ft',
    'retail_price_usd[gte]=5000&current_market_price[lt]=9000.5',
    'reference_number=191+032',
    'collection=lange%201',
    'ids=3,1,2,99999',
    'q=%C3%A9t%C3%A9+a',
    'page=0',
    'spec=1',
    'spec[a]=%ff',
    'sort=price',
  ]
  return ['', ...[...bySpec, ...byBrand, ...bySort, ...odd].map((query) => `?${query}`)]
}
