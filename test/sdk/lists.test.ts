// Tests reading the catalogue with the SDK: filters, pages, fields, single resources, and the cache.
import { describe, expect, test } from 'vitest'
import { Watchdata } from '../../sdk/src/index.ts'
import { serveSample } from '../api/sample-server.ts'
import { recordedClient } from './recorded-client.ts'

const server = serveSample()
const options = () => ({ apiKey: server.demoKey ?? '', baseUrl: server.baseUrl })
const open = () => new Watchdata(options())

describe('a list of watches', () => {
  test('is awaited as one page, as the service sends it', async () => {
    const query = { spec: { water_resistance: { gte: '100 m' }, dial_color: ['Black', 'Blue'] }, per_page: 3 }
    const page = await open().watches.list({
      ...query,
      sort: '-retail_price_usd',
      facets: ['brand'],
      explain: true,
    })
    const path =
      '/api/v1/watches?spec[water_resistance][gte]=100%20m&spec[dial_color][]=Black&spec[dial_color][]=Blue'
    const raw = await server.get(`${path}&per_page=3&sort=-retail_price_usd&facets=brand&explain=1`)
    expect(page).toEqual(await raw.json())
    expect(page.data).toHaveLength(3)
    expect(page.facets?.brand?.length).toBeGreaterThan(3)
    expect(page.explain?.[0]?.values[0]?.read_as).toBe('100 m')
  })

  test('is iterated over all pages, each watch once, with as few requests as possible', async () => {
    const { client, exchanged } = recordedClient(options())
    const { meta } = await client.watches.list({ per_page: 1 })
    const ids: number[] = []
    for await (const { id } of client.watches.list()) ids.push(id)
    expect(new Set(ids).size).toBe(meta.total)
    expect(ids).toHaveLength(meta.total)
    expect(exchanged).toHaveLength(1 + Math.ceil(meta.total / 100))
  })

  test('is iterated by id where that is asked for', async () => {
    const client = open()
    const ids: number[] = []
    for await (const { id } of client.watches.list({ after: 100, fields: ['id'], per_page: 50 })) ids.push(id)
    expect(ids.length).toBeGreaterThan(200)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
    expect(ids[0]).toBe(101)
  })

  test('goes on where it was awaited first, and stops when the reader has enough', async () => {
    const { client, exchanged } = recordedClient(options())
    const list = client.watches.list({ per_page: 2, sort: 'brand' })
    const { data } = await list
    const ids: number[] = []
    for await (const { id } of list) if (ids.push(id) === 4) break
    expect(ids.slice(0, 2)).toEqual(data.map(({ id }) => id))
    expect(exchanged).toHaveLength(2)
  })

  test('is read page by page, also where its query is too long for links', async () => {
    const client = open()
    const words = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(400, 'x'))
    const long = { spec: { dial_color: ['Black', ...words] }, per_page: 50 }
    const { response } = await client.watches.list(long).withResponse()
    expect(response.headers.get('link')).toBeNull()
    const totals: number[] = []
    for await (const { data, meta } of client.watches.list(long).pages()) {
      totals.push(data.length)
      expect(meta.current_page).toBe(totals.length)
    }
    const { meta } = await client.watches.list({ spec: { dial_color: 'Black' } })
    expect(totals.reduce((sum, count) => sum + count)).toBe(meta.total)
    expect(totals.length).toBeGreaterThan(2)
  })

  test('has only the fields that were asked for', async () => {
    const fields = ['id', 'brand', 'specs.dial_color'] as const
    const { data } = await open().watches.list({ fields, ids: [1, 2] })
    for (const { id, brand, specs } of data) {
      expect([typeof id, typeof brand, typeof specs.dial_color]).toEqual(['number', 'string', 'string'])
    }
    expect(data.map((row) => Object.keys(row))).toEqual([
      ['id', 'brand', 'specs'],
      ['id', 'brand', 'specs'],
    ])
  })

  test('finds each watch by any of its values, sent back as they came', async () => {
    const client = open()
    const { data } = await client.watches.list({ per_page: 5, sort: '-id' })
    for (const { id, specs } of data) {
      for (const [key, value] of Object.entries(specs)) {
        const one = Array.isArray(value) ? value[0] : value
        const found = await client.watches.list({ spec: { [key]: one }, ids: [id] })
        expect([key, found.meta.total]).toEqual([key, 1])
      }
    }
  })
})

describe('a response', () => {
  test('comes with the quota, the id of the request, and its headers', async () => {
    const spec = { dail_color: 'Black' }
    const call = open().watches.list({ spec }, { headers: { 'x-request-id': 'my-request' } })
    const { data, response, rateLimit, requestId } = await call.withResponse()
    expect(data.meta.total).toBe(0)
    expect(response.headers.get('x-unknown-spec-keys')).toBe('dail_color; did_you_mean=dial_color')
    expect(requestId).toBe('my-request')
    expect(rateLimit).toMatchObject({ limit: 1_000_000, resetAt: new Date('2026-03-02T00:00:00Z') })
    expect(rateLimit?.remaining).toBeLessThan(1_000_000)
  })

  test('is a promise in every respect', async () => {
    const client = open()
    const [watch, brand] = await Promise.all([client.watches.get(1), client.brands.get('rolex')])
    expect([watch.id, brand.name]).toEqual([1, 'Rolex'])
    await expect(client.watches.get(999_999).catch(({ status }) => status)).resolves.toBe(404)
    let ends = 0
    await client.watches.get(1).finally(() => {
      ends += 1
    })
    expect(ends).toBe(1)
  })
})

describe('every other resource', () => {
  test('of the catalogue is there', async () => {
    const client = open()
    const brand = await client.brands.get('a-lange-soehne')
    expect(await client.brands.get(brand.id)).toEqual(brand)
    const names: string[] = []
    for await (const { name } of client.brands.list({ q: 'als' })) names.push(name)
    expect(names).toEqual([brand.name])
    const watches = await client.brands.watches('a-lange-soehne', { fields: ['brand'], per_page: 1 })
    expect(watches).toMatchObject({ data: [{ brand: brand.name }], meta: { total: brand.watches_count } })
    const keys = await client.specs.list()
    const depth = keys.find(({ key }) => key === 'water_resistance')
    expect(depth?.unit).toBe('m')
    const values: unknown[] = []
    for await (const { value } of client.specs.values('water_resistance', { per_page: 5 })) values.push(value)
    expect(values).toHaveLength(depth?.values_count ?? 0)
  })

  test('of the search is there, and the usage', async () => {
    const client = open()
    const [first] = await client.suggest('submarnr', { limit: 1 })
    expect(first?.text).toBe('Submariner')
    const [resolution] = await client.resolve([{ text: 'Sub Date 116610LV 2018', brand: 'Rolex' }])
    expect(resolution).toMatchObject({ match: 'exact', read: { year: 2018 } })
    expect((await client.usage()).days).toHaveLength(30)
  })
})

describe('the cache', () => {
  test('makes an unchanged response free, and gives it again whole', async () => {
    const { client, exchanged } = recordedClient({ ...options(), cache: true })
    const query = { per_page: 2, sort: 'brand' } as const
    const first = await client.watches.list(query).withResponse()
    const copy = structuredClone(first.data)
    // What a caller does to his copy is not in the next.
    first.data.data.length = 0
    const second = await client.watches.list(query).withResponse()
    expect(second.data).toEqual(copy)
    expect(exchanged.map(({ status }) => status)).toEqual([200, 304])
    expect(second.rateLimit?.remaining).toBe(first.rateLimit?.remaining)
    expect(second.response.headers.get('link')).toBe(first.response.headers.get('link'))
  })

  test('keeps pages apart, and goes on from a page that it had', async () => {
    const { client, exchanged } = recordedClient({ ...options(), cache: { entries: 10 } })
    for (const _ of [1, 2]) {
      const ids: number[] = []
      for await (const { id } of client.watches.list({ brand: 'Rolex', per_page: 5 })) ids.push(id)
      expect(new Set(ids).size).toBe(ids.length)
    }
    const half = exchanged.length / 2
    expect(exchanged.map(({ status }) => status)).toEqual([
      ...Array(half).fill(200),
      ...Array(half).fill(304),
    ])
    expect(half).toBeGreaterThan(1)
  })
})
