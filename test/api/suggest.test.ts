// Tests GET /suggest with the sample: what a text is completed to, with counts that the list confirms.
import { describe, expect, test } from 'vitest'
import { serveSample } from './sample-server.ts'

const server = serveSample()

describe('a text is completed to', () => {
  test.each([
    ['a brand', 'brei', 'brand', 'Breitling'],
    ['a brand by its short name', 'jlc', 'brand', 'Jaeger-LeCoultre'],
    ['a collection', 'subm', 'collection', 'Submariner'],
    ['a collection of the brand before it', 'tudor pela', 'collection', 'Pelagos'],
    ['a collection of several words', 'black b', 'collection', 'Black Bay'],
    ['a reference by its beginning', '12661', 'reference', '126610LN'],
    ['a reference without its dots', '310304', 'reference', '310.30.40.50.06.001'],
    ['a reference of the brand before it', 'rolex 1266', 'reference', '126610LN'],
    ['a reference that begins with letters', 'seiko srp', 'reference', 'SRP777K1'],
    ['a nickname', 'starb', 'nickname', 'Starbucks'],
    ['a nickname of the brand before it', 'rolex hul', 'nickname', 'Hulk'],
    ['a collection of two words, typed as one', 'gshock', 'collection', 'G-Shock'],
    ['a spec value', 'automat', 'value', 'Automatic'],
    ['the likeliest spelling of a mistyped beginning', 'speedmster', 'collection', 'Speedmaster'],
    ['the likeliest spelling of a mistyped brand', 'rolx subm', 'collection', 'Submariner'],
  ])('%s: %s', async (_what, q, type, text) => {
    expect(await suggest(q)).toContainEqual(expect.objectContaining({ type, text }))
  })
})

test('a brand comes before a longer name that contains it', async () => {
  const [first] = await suggest('seiko')
  expect(first?.text).toBe('Seiko')
})

test('every completion has as many watches as its list, and is named once', async () => {
  for (const q of [
    's',
    'a',
    '1',
    'ro',
    'st',
    'black',
    'gold',
    'hul',
    'omega sea',
    'sapph',
    '42',
    'moon',
    'sub',
    'gmt',
    'panda',
    'polar',
  ]) {
    const data = await suggest(q, 20)
    expect(new Set(data.map(({ query }) => query)).size).toBe(data.length)
    for (const { query, watches_count } of data) {
      const { meta } = await ask<{ meta: { total: number } }>(`/watches?${query}&per_page=1`)
      expect({ query, total: meta.total }).toEqual({ query, total: watches_count })
    }
  }
})

test('what nothing begins with has no completion', async () => {
  expect(await suggest('xqzwv')).toEqual([])
})

test('the number of completions is limited', async () => {
  expect(await suggest('s', 2)).toHaveLength(2)
  expect((await suggest('s')).length).toBeLessThanOrEqual(10)
})

test.each([
  ['', { q: ['The q field is required.'] }],
  ['q=%21', { q: ['The q must contain a letter or a digit.'] }],
  [`q=${'x'.repeat(101)}`, { q: ['The q may not be greater than 100 characters.'] }],
  ['q=a&limit=0', { limit: ['The limit must be between 1 and 20.'] }],
  ['q=a&q=b', { q: ['The q must be given once.'] }],
])('a wrong query is refused: %s', async (query, errors) => {
  const response = await server.get(`/api/v1/suggest?${query}`)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ errors })
})

interface Completion {
  readonly type: string
  readonly text: string
  readonly query: string
  readonly watches_count: number
}

async function suggest(q: string, limit?: number): Promise<Completion[]> {
  const rest = limit === undefined ? '' : `&limit=${limit}`
  return (await ask<{ data: Completion[] }>(`/suggest?q=${encodeURIComponent(q)}${rest}`)).data
}

async function ask<T>(path: string): Promise<T> {
  return (await (await server.get(`/api/v1${path}`)).json()) as T
}
