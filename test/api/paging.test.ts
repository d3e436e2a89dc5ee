// Tests paging through a list of watches: the contents of a page, its links, and its headers.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const { watches } = await readSample()
const server = serveSample()

describe('a page', () => {
  test('has three keys in meta, and eight fields per watch in order', async () => {
    const { body } = await ask('/watches?per_page=100')
    expect(Object.keys(body)).toEqual(['data', 'meta'])
    expect(Object.keys(body.meta)).toEqual(['current_page', 'per_page', 'total'])
    const { as_of: _, ...first } = watches[0] ?? { as_of: 0 }
    expect(body.data[0]).toEqual({ id: 1, ...first, updated_at: '2026-03-01T12:00:00.000Z' })
    const fields = [
      'id',
      'brand',
      'collection',
      'reference_number',
      'retail_price_usd',
      'current_market_price',
      'specs',
      'updated_at',
    ]
    for (const watch of body.data) expect(Object.keys(watch)).toEqual(fields)
  })

  test.each([
    ['page=15&per_page=25', 15, 25, 0],
    ['page=1000000000&per_page=100', 1_000_000_000, 100, 0],
    ['page=2&per_page=1', 2, 1, 1],
    ['page=4&per_page=100', 4, 100, watches.length - 300],
  ])('reports its position, past the end too: %s', async (query, current_page, per_page, length) => {
    const { body } = await ask(`/watches?${query}`)
    expect(body.meta).toEqual({ current_page, per_page, total: watches.length })
    expect(body.data).toHaveLength(length)
  })

  test('without matches is 200, empty, with a total of 0 and links to itself', async () => {
    const { body, links } = await ask('/watches?brand=nobody')
    expect(body).toEqual({ data: [], meta: { current_page: 1, per_page: 25, total: 0 } })
    const only = `${server.baseUrl}/api/v1/watches?brand=nobody&page=1&per_page=25`
    expect(links).toEqual({ first: only, last: only })
  })

  test('ignores unknown parameters', async () => {
    const { body } = await ask(
      '/watches?utm_source=x&Page=0&PER_PAGE=0&limit=-1&x[y][z]=1&x[y=&brands=1&=&&?',
    )
    expect(body.meta).toEqual({ current_page: 1, per_page: 25, total: watches.length })
  })
})

describe('links', () => {
  test.each([
    ['/watches?per_page=50', watches.length],
    [
      '/watches?spec[dial_color][]=Black&spec%5Bdial_color%5D%5B%5D=Blue&sort=-retail_price_usd&per_page=7',
      undefined,
    ],
    ['/watches?q=steel+s&page=1&x=%22%3C%3E&fields=id&per_page=20', undefined],
    ['/watches?%70age=1&per%5Fpage=3&brand=rolex', undefined],
    ['/brands/rolex/watches?per_page=3&sort=brand', watches.filter(({ brand }) => brand === 'Rolex').length],
  ])('to the next page go through the whole list, each watch once: %s', async (start, total) => {
    const seen: unknown[] = []
    let path: string | undefined = start
    let pages = 0
    let last: Awaited<ReturnType<typeof ask>> | undefined
    while (path !== undefined && pages < 50) {
      last = await ask(path)
      seen.push(...last.body.data.map(({ id }) => id))
      path = last.links.next?.replace(`${server.baseUrl}/api/v1`, '')
      pages += 1
    }
    expect(seen).toHaveLength(last?.body.meta.total ?? 0)
    if (total !== undefined) expect(seen).toHaveLength(total)
    expect(new Set(seen).size).toBe(seen.length)
    expect(pages).toBeGreaterThan(1)
    const end = await ask(last?.links.last?.replace(`${server.baseUrl}/api/v1`, '') ?? '')
    expect(end.body).toEqual(last?.body)
  })

  test('keep all other parameters as given, in order', async () => {
    const others = 'spec%5Bdial_color%5D=Black&x=1&spec[jewels][gt]=20&x=1&sort=-id'
    const { links } = await ask(`/watches?${others}&per_page=2&page=2`)
    const url = `${server.baseUrl}/api/v1/watches?${others}`
    expect(links).toMatchObject({
      first: `${url}&page=1&per_page=2`,
      prev: `${url}&page=1&per_page=2`,
      next: `${url}&page=3&per_page=2`,
    })
  })

  test('past the end lead back to the last page', async () => {
    const { links } = await ask('/watches?page=99&per_page=100')
    expect(links.next).toBeUndefined()
    expect(links.prev).toBe(links.last)
  })
})

describe('keys that no watch has', () => {
  test.each([
    ['spec[dail_color]=Black', 'dail_color; did_you_mean=dial_color'],
    [
      'spec[dail_color]=Black&spec[cristal][exists]=true',
      'dail_color; did_you_mean=dial_color, cristal; did_you_mean=crystal',
    ],
    ['spec[something_else]=1', 'something_else'],
    ['facets=dail_color', 'dail_color; did_you_mean=dial_color'],
    ['spec[%0D%0Aset-cookie:%20x]=1', '%0D%0Aset-cookie%3A%20x'],
    ['spec[%C3%A9t%C3%A9]=1', '%C3%A9t%C3%A9'],
    ['spec[dial_color]=nonsense', null],
    ['dail_color=Black', null],
  ])('are listed in a header: %s', async (query, header) => {
    expect((await ask(`/watches?${query}`)).response.headers.get('x-unknown-spec-keys')).toBe(header)
  })
})

interface List {
  readonly data: Record<string, unknown>[]
  readonly meta: { readonly total: number }
}

async function ask(path: string) {
  const response = await server.get(`/api/v1${path}`)
  expect([path, response.status]).toEqual([path, 200])
  const written = (response.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  const links: Record<string, string> = {}
  for (const [, url = '', rel = ''] of written) links[rel] = url
  return { response, links, body: (await response.json()) as List }
}
