// Tests GET /brands, one brand, and its watches, with the sample.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
const brands = sample.brands.map((brand, at) => {
  const own = sample.watches.filter((watch) => watch.brand === brand.name)
  return {
    id: at + 1,
    ...brand,
    collections_count: new Set(own.map(({ collection }) => collection.toLowerCase())).size,
    watches_count: own.length,
    updated_at: '2026-03-01T12:00:00.000Z',
  }
})
type Brand = (typeof brands)[number]
const byName = (one: Brand, other: Brand) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1)
const notFound = { status: 404, body: { message: 'Resource not found.' } }

const server = serveSample()

describe('GET /brands', () => {
  test('lists every brand by name, with its counts and its fields in order', async () => {
    const { body } = await ask('/brands?per_page=100')
    expect(body.meta).toEqual({ current_page: 1, per_page: 100, total: brands.length })
    expect(body.data).toEqual(brands.toSorted(byName))
    const fields =
      'id,name,slug,aliases,country,founded_year,website,collections_count,watches_count,updated_at'
    for (const brand of body.data as object[]) expect(Object.keys(brand).join()).toBe(fields)
  })

  test.each<[string, (one: Brand, other: Brand) => number]>([
    ['name', byName],
    ['-name', (one, other) => byName(other, one)],
    ['watches_count', (one, other) => one.watches_count - other.watches_count || one.id - other.id],
    ['-watches_count', (one, other) => other.watches_count - one.watches_count || one.id - other.id],
  ])('sort=%s orders them, with ties by id', async (sort, compare) => {
    const { body } = await ask(`/brands?per_page=100&sort=${sort}`)
    expect(names(body)).toEqual(brands.toSorted(compare).map(({ name }) => name))
  })

  test('can be paged through by its links, each brand once', async () => {
    const seen: string[] = []
    let path: string | undefined = '/brands?sort=-name&per_page=10'
    while (path !== undefined) {
      const { body, next }: Awaited<ReturnType<typeof ask>> = await ask(path)
      seen.push(...names(body))
      path = next
    }
    expect(seen).toEqual(brands.toSorted((one, other) => byName(other, one)).map(({ name }) => name))
  })

  test.each([
    ['role', ['Rolex']],
    ['LANGE', ['A. Lange & Söhne']],
    ['sohne', ['A. Lange & Söhne']],
    ['ap', ['Audemars Piguet']],
    ['lange%20a', ['A. Lange & Söhne']],
    ['lan%20a', []],
    ['%25', undefined],
  ])('q=%s finds names, slugs and aliases by words, the last word by prefix', async (q, expected) => {
    const { status, body } = await ask(`/brands?q=${q}`)
    if (expected === undefined) expect(status).toBe(422)
    else {
      expect(names(body)).toEqual(expected)
      expect(body.meta).toMatchObject({ total: expected.length })
    }
  })

  test('past the end is empty, with the correct total', async () => {
    const { body } = await ask('/brands?page=1000')
    expect(body).toEqual({ data: [], meta: { current_page: 1000, per_page: 25, total: brands.length } })
  })

  test.each([
    [
      'sort=id',
      {
        sort: [
          'The selected sort is invalid: it may be name or watches_count, with a - before it to sort in descending order.',
        ],
      },
    ],
    [
      'page=0&per_page=x',
      {
        page: ['The page must be between 1 and 1000000000.'],
        per_page: ['The per page must be an integer.'],
      },
    ],
    ['q=a&q=b', { q: ['The q must be given once.'] }],
  ])('rejects %s', async (query, errors) => {
    expect(await ask(`/brands?${query}`)).toMatchObject({ status: 422, body: { errors } })
  })

  test('ignores parameters of the list of watches', async () => {
    expect((await ask('/brands?spec=1&ids=x&fields=x')).status).toBe(200)
  })
})

describe('one brand', () => {
  test('is found by its id and by its slug', async () => {
    for (const brand of [brands[0], brands[40]]) {
      for (const path of [brand?.id, brand?.slug]) {
        expect(await ask(`/brands/${path}`)).toMatchObject({ status: 200, body: { data: brand } })
      }
    }
  })

  test.each([
    'nobody',
    'Rolex',
    '0',
    '-1',
    '01',
    '1.0',
    '1e0',
    '%201',
    '99999999999999999999',
    '__proto__',
    'constructor',
    '%00',
    '..%2f',
    '%F0%9F%98%80',
  ])('that does not exist is 404: %s', async (path) => {
    for (const rest of ['', '/watches']) expect(await ask(`/brands/${path}${rest}`)).toMatchObject(notFound)
  })
  test('with a name longer than any is 404 too, and 401 without a key', async () => {
    expect(await ask(`/brands/${'x'.repeat(300)}`)).toMatchObject(notFound)
    const stranger = await fetch(`${server.baseUrl}/api/v1/brands/${'x'.repeat(300)}`)
    expect(stranger.status).toBe(401)
  })
})

describe('the watches of a brand', () => {
  test('equal those of the brand filter, by slug and by id', async () => {
    const rolex = brands.find(({ slug }) => slug === 'rolex')
    for (const query of [
      '',
      '?spec[dial_color]=Black&sort=-retail_price_usd',
      '?facets=dial_color&fields=id,brand',
      '?q=date&page=2&per_page=1',
    ]) {
      const filtered = await ask(`/watches?brand=rolex${query.replace('?', '&')}`)
      for (const path of [rolex?.slug, rolex?.id]) {
        const { status, body } = await ask(`/brands/${path}/watches${query}`)
        expect([query, status, body]).toEqual([query, 200, filtered.body])
      }
    }
    expect((await ask('/brands/rolex/watches')).body.meta).toMatchObject({ total: rolex?.watches_count })
  })

  test('are of that brand, whatever the query', async () => {
    const { body } = await ask('/brands/rolex/watches?brand=omega')
    expect(body).toMatchObject({ data: [], meta: { total: 0 } })
  })

  test('of an unknown brand are 404, but an invalid query is 422 first', async () => {
    expect(await ask('/brands/nobody/watches?per_page=5')).toMatchObject(notFound)
    expect((await ask('/brands/nobody/watches?per_page=0')).status).toBe(422)
    expect((await ask('/brands/nobody/watches?spec[a')).status).toBe(422)
  })
})

interface Body {
  readonly data?: unknown
  readonly meta?: object
}

function names({ data }: Body): string[] {
  return (data as Brand[]).map(({ name }) => name)
}

async function ask(path: string): Promise<{ status: number; body: Body; next: string | undefined }> {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${server.demoKey}` },
  })
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  const body = (await response.json()) as Body
  return { status: response.status, body, next: next?.replace(`${server.baseUrl}/api/v1`, '') }
}
