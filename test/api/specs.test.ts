// Tests GET /specs and /specs/{key}: the spec dictionary of the sample, and of malicious keys.
import { describe, expect, test, vi } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { createWatch } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { startPlanServer } from './plan-server.ts'
import { sendRaw } from './running-server.ts'

const { watches } = await readSample()
const clock = manualClock()
const engine = createEngine()
const server = share(() => startPlanServer(engine, { LOG_LEVEL: 'silent' }))

interface SpecKey {
  readonly key: string
  readonly type: string
  readonly unit: string | null
  readonly watches_count: number
  readonly values_count: number
  readonly examples: unknown[]
}

interface ValueCount {
  readonly value: unknown
  readonly count: number
}

describe('GET /specs', () => {
  test('lists every stored key with its number of watches, most frequent first', async () => {
    const counts = new Map<string, number>()
    for (const { specs } of watches) {
      for (const key of Object.keys(specs)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const keys = await readKeys()
    expect(keys.map(({ key, watches_count }) => ({ key, watches_count }))).toEqual(
      [...counts]
        .map(([key, watches_count]) => ({ key, watches_count }))
        .sort((one, other) => other.watches_count - one.watches_count || (one.key < other.key ? -1 : 1)),
    )
  })

  test('returns type, unit and most frequent values of each key', async () => {
    const keys = new Map((await readKeys()).map((key) => [key.key, key]))
    const typeOf = (name: string) => [keys.get(name)?.type, keys.get(name)?.unit]
    expect(typeOf('water_resistance')).toEqual(['quantity', 'm'])
    expect(typeOf('power_reserve')).toEqual(['quantity', 'h'])
    expect(typeOf('case_diameter')).toEqual(['quantity', 'mm'])
    expect(typeOf('jewels')).toEqual(['number', null])
    expect(typeOf('limited_edition')).toEqual(['boolean', null])
    expect(typeOf('dial_color')).toEqual(['text', null])
    expect(Object.keys(keys.get('jewels') ?? {})).toEqual([
      'key',
      'type',
      'unit',
      'watches_count',
      'values_count',
      'examples',
    ])
    const jewels = new Set(watches.map(({ specs }) => specs.jewels).filter((value) => value !== undefined))
    expect(keys.get('jewels')).toMatchObject({ values_count: jewels.size, examples: [31, 26, 21, 25, 23] })
  })
})

describe('GET /specs/{key}', () => {
  test('pages through all values of every key; each finds as many watches as counted', async () => {
    for (const { key, values_count, examples } of await readKeys()) {
      const values: ValueCount[] = []
      let next: string | undefined = `/specs/${key}?per_page=40`
      while (next !== undefined) {
        const page: Awaited<ReturnType<typeof readValues>> = await readValues(next)
        expect(page.meta.total).toBe(values_count)
        values.push(...page.data)
        next = page.next
      }
      expect(values).toHaveLength(values_count)
      expect(values.slice(0, 5).map(({ value }) => value)).toEqual(examples)
      const counts = values.map(({ count }) => count)
      expect(counts).toEqual(counts.toSorted((one, other) => other - one))
      for (const { value, count } of [...values.slice(0, 3), ...values.slice(-3)]) {
        const found = await ask(`/watches?spec[${key}]=${encodeURIComponent(String(value))}&per_page=1`)
        expect([key, value, await found.json()]).toMatchObject([key, value, { meta: { total: count } }])
      }
    }
  })

  test('counts what a naive scan of the sample counts', async () => {
    const counts = new Map<unknown, number>()
    for (const { specs } of watches) {
      if (specs.jewels !== undefined) counts.set(specs.jewels, (counts.get(specs.jewels) ?? 0) + 1)
    }
    const { data } = await readValues('/specs/jewels?per_page=100')
    expect(new Map(data.map(({ value, count }) => [value, count]))).toEqual(counts)
  })

  test('past the end is empty, with the correct total', async () => {
    expect(await readValues('/specs/limited_edition?page=9')).toMatchObject({
      data: [],
      meta: { current_page: 9, per_page: 25, total: 2 },
    })
  })

  test.each([
    'nonsense',
    'Dial_color',
    '__proto__',
    'constructor',
    '%00',
    '%20',
    '%25',
    'a%2Fb',
    '%F0%9F%98%80',
  ])('of a key that no watch has is 404: %s', async (key) => {
    const response = await ask(`/specs/${key}`)
    expect([response.status, await response.json()]).toEqual([404, { message: 'Resource not found.' }])
  })

  test('finds keys with any characters if they are encoded', async () => {
    const keys = [
      'a/b',
      '100%',
      'ключ',
      'a?b#c',
      '..',
      ' ',
      'a][b',
      '__proto__',
      'constructor',
      '%41',
      '\u0000',
      '⌚',
      'é'.repeat(128),
    ]
    const specs = Object.fromEntries(keys.map((key, at) => [key, at]))
    const draft = {
      brand_id: 1,
      collection: 'Hostile',
      reference_number: 'H',
      retail_price_usd: null,
      current_market_price: null,
      specs,
    }
    await recordChanges(server().database, clock, (tx, record) =>
      createWatch(tx, clock, record, draft, { date: '2026-03-01', source: 'test' }),
    )
    await vi.waitFor(async () => expect((await ask('/specs/constructor')).status).toBe(200), patience)
    const known = (await readKeys()).map(({ key }) => key)
    expect(known).toEqual(expect.arrayContaining(keys))
    for (const [at, key] of keys.entries()) {
      // Not with fetch, which resolves %2E%2E as a parent directory.
      const path = `/api/v1/specs/${encodeURIComponent(key).replaceAll('.', '%2E')}`
      const answer = await sendRaw(
        server().port,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server().demoKey}\r\n\r\n`,
      )
      expect([key, answer.split('\r\n')[0]]).toEqual([key, 'HTTP/1.1 200 OK'])
      expect(answer.split('\r\n\r\n')[1]).toContain(`"data":[{"value":${at},"count":1}]`)
      const found = await ask(`/watches?spec[${encodeURIComponent(key)}]=${at}`)
      expect([key, await found.json()]).toMatchObject([key, { meta: { total: 1 } }])
    }
  })
})

async function readKeys(): Promise<SpecKey[]> {
  return ((await (await ask('/specs')).json()) as { data: SpecKey[] }).data
}

async function readValues(path: string) {
  const response = await ask(path)
  expect([path, response.status]).toEqual([path, 200])
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  const body = (await response.json()) as { data: ValueCount[]; meta: { total: number } }
  return { ...body, next: next?.replace(`${server().baseUrl}/api/v1`, '') }
}

function ask(path: string): Promise<Response> {
  return server().get(`/api/v1${path}`)
}
