// Tests invalid queries: 422 with every error at once, keyed by parameter.
import { describe, expect, test } from 'vitest'
import { serveSample } from './sample-server.ts'

const server = serveSample()

const anInteger = (name: string) => `The ${name} must be an integer.`
const encoding = (name: string) => `The ${name} must be valid percent-encoded UTF-8.`
const operator = (key: string) =>
  `The spec.${key} operator is not known: it may be [], [not], [gt], [gte], [lt], [lte], [exists] or [exact].`
const written = 'The spec must be written as spec[key]=value or, for a range, spec[key:gte]=value.'
const sorts = 'id, relevance, brand, retail_price_usd, current_market_price or updated_at'

describe('a query is rejected for', () => {
  // One of each kind: src/search/query/parse-query.test.ts and paging.test.ts have them all.
  test.each<[string, Record<string, string>]>([
    ['page=1000000001', { page: 'The page must be between 1 and 1000000000.' }],
    ['page[]=1', { page: 'The page must be written without brackets.' }],
    ['per_page=ten', { per_page: anInteger('per page') }],
    ['q=%25_*', { q: 'The q must contain a letter or a digit.' }],
    [`q=${'x'.repeat(513)}`, { q: 'The q may not be greater than 512 characters.' }],
    [
      `q=${Array.from({ length: 21 }, (_, at) => `w${at}`).join('+')}`,
      { q: 'The q may not have more than 20 words.' },
    ],
    ['ids=1,x', { ids: 'The ids must be positive integers separated by commas.' }],
    [
      `ids=${Array.from({ length: 101 }, (_, at) => at + 1).join(',')}`,
      { ids: 'The ids may not have more than 100 items.' },
    ],
    [
      'fields=id,nonsense',
      {
        fields:
          'The selected fields is invalid: "nonsense" is none. It may be id, brand, collection, reference_number, retail_price_usd, current_market_price, specs, updated_at or specs.<key>.',
      },
    ],
    [
      'facets=',
      {
        facets:
          'The selected facets is invalid: "" is none. It may be a spec key of 1 to 128 characters, brand or collection.',
      },
    ],
    [`facets=${'k,'.repeat(20)}k`, { facets: 'The facets may not have more than 20 items.' }],
    ['explain=maybe', { explain: 'The explain field must be true or false.' }],
    [
      'retail_price_usd[not]=1',
      {
        retail_price_usd: 'The retail price usd operator is not known: it may be [gt], [gte], [lt] or [lte].',
      },
    ],
    ['spec[a][exists]=maybe', { 'spec.a': 'The spec.a field must be true or false.' }],
    [
      'spec[power_reserve][gt]=10+m',
      { 'spec.power_reserve': 'The spec.power reserve must be a number or a quantity such as 10 h.' },
    ],
    [
      `spec[${'k'.repeat(129)}]=1`,
      { [`spec.${'k'.repeat(129)}`]: 'The spec key may not be greater than 128 characters.' },
    ],
    [`spec[a]=${'v'.repeat(513)}`, { 'spec.a': 'The spec.a may not be greater than 512 characters.' }],
    [
      Array.from({ length: 21 }, (_, at) => `spec[k${at}]=1`).join('&'),
      { spec: 'The spec must not have more than 20 filters.' },
    ],
    ['spec[__proto__]=', { 'spec.__proto__': 'The spec.  proto   field is required.' }],
    ['spec[constructor][prototype]=1', { 'spec.constructor': operator('constructor') }],
    ['q=%', { q: encoding('q') }],
    ['q=%C0%AF', { q: encoding('q') }],
    ['spec[%FF]=1', { spec: encoding('spec') }],
    ['nobody=%FF', { nobody: encoding('nobody') }],
    ['%FF=1', { query: encoding('query') }],
    ['a=1&'.repeat(1_001), { query: 'The query must not have more than 1000 parameters.' }],
  ])('%s', async (query, errors) => {
    const expected = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]))
    await expectRefused(`/watches?${query}`, expected)
  })

  test('every error at once, each under its parameter', async () => {
    await expectRefused(
      '/watches?page=x&per_page=0&sort=x&spec[a]=&spec[b][like]=1&spec&q=%FF&brand=&brand=&retail_price_usd[lt]=x&page=2',
      {
        page: ['The page must be given once.', anInteger('page')],
        per_page: ['The per page must be between 1 and 100.'],
        sort: [
          `The selected sort is invalid: it may be ${sorts}, with a - before it to sort in descending order.`,
        ],
        'spec.a': ['The spec.a field is required.'],
        'spec.b': [operator('b')],
        spec: [written],
        q: [encoding('q')],
        brand: [
          'The brand field is required.',
          'The brand must be given once; for one of several values, write brand[]=a&brand[]=b.',
        ],
        retail_price_usd: ['The retail price usd must be a number such as 5000.'],
      },
    )
  })

  test.each([
    '/brands?page=0',
    '/brands/rolex/watches?page=0',
    '/brands/nobody/watches?page=0',
    '/specs/dial_color?page=0',
    '/specs/nobody?page=0',
  ])('an invalid page of any list, even of one that does not exist: %s', (path) =>
    expectRefused(path, { page: ['The page must be between 1 and 1000000000.'] }),
  )
})

async function expectRefused(path: string, errors: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${server.demoKey}` },
  })
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('etag')).toBeNull()
  const body = JSON.parse(await response.text())
  expect(Object.keys(body)).toEqual(['message', 'errors'])
  expect(body.message).toBe('The given data was invalid.')
  expect(Object.entries(body.errors).sort()).toEqual(Object.entries(errors).sort())
}
