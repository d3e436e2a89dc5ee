// Tests the explorer over real HTTP, without JavaScript: the same queries and totals as the API, correct links, and a
// way to recover from every error.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import {
  addressIn,
  callOf,
  decodeEntities,
  expectWhole,
  facetsOf,
  hrefsOf,
  openPage,
  type ShownPage,
  totalOf,
} from './explore-page.ts'
import { startSmallServer } from './running-server.ts'
import { serveSample } from './sample-server.ts'

const run = promisify(execFile)
const server = serveSample()
const open = (query = '') => openPage(server.baseUrl, query === '' ? '/explore' : `/explore?${query}`)
const queryOf = (href: string) => href.split('?')[1] ?? ''

const queries = [
  '',
  'q=submariner',
  'q=diver+blu',
  'brand=rolex&sort=-retail_price_usd',
  'spec[dial_color]=Black',
  'spec[dial_color][]=Black&spec[dial_color][]=Blue&per_page=5&page=3',
  'spec%5Bdial_color%5D%5B%5D=Green',
  'spec[water_resistance][gte]=330%20ft&spec[case_diameter][lt]=4%20cm',
  'spec[movement_type][not]=Automatic&spec[functions]=Date',
  'spec[limited_edition][exists]=true',
  'retail_price_usd[gte]=5000&retail_price_usd[lt]=10000',
  'collection=Royal%20Oak',
  'reference_number=191032',
  'ids=1,2,3',
  'spec[nickname]=%27%22%3C',
  'page=900',
  'fields=id&facets=crown,brand&explain=1&unknown=1',
]

async function askTotal(query: string): Promise<number> {
  const answer = await fetch(`${server.baseUrl}/api/v1/watches?${query}`, {
    headers: { authorization: `Bearer ${server.demoKey}` },
  })
  const { meta } = (await answer.json()) as { meta: { total: number } }
  return meta.total
}

describe('a search', () => {
  test.each([
    ['q=submarner+40mm', '→ submariner 40mm'],
    ['q=rolex+daytona+white+gold', '→ rolex daytona, without white gold'],
    ['q=116610LN', '→ 116610…'],
  ])('%s is shown as it was understood', async (query, readAs) => {
    expect((await open(query)).html).toContain(`<span class="read-as">${readAs}</span>`)
  })

  test('that was understood as it was written, or not at all, is shown as it was written', async () => {
    for (const query of ['q=submariner', 'q=xqzwvy'])
      expect((await open(query)).html).not.toContain('read-as')
  })
})

describe('a query', () => {
  test.each(queries)(
    '%s has the same total as the API, on a page that is complete without JavaScript',
    async (query) => {
      const page = await open(query)
      expect(page.status).toBe(200)
      expectWhole(page)
      expect(totalOf(page)).toBe(await askTotal(query))
    },
  )

  test.each(queries)('%s shows an API call that returns the watches of the page', async (query) => {
    const page = await open(query)
    const url = addressIn(callOf(page, 'curl'))
    expect(url).toContain('per_page=')
    expect([addressIn(callOf(page, 'ts')), addressIn(callOf(page, 'py'))]).toEqual([url, url])
    const answer = await fetch(url, { headers: { authorization: `Bearer ${server.demoKey}` } })
    const { data, meta } = (await answer.json()) as { data: { id: number }[]; meta: { total: number } }
    expect(meta.total).toBe(totalOf(page))
    expect(idsOn(page)).toEqual(data.map(({ id }) => id))
  })

  test.each(queries.slice(0, 8))('%s is returned by the copied curl command', async (query) => {
    const page = await open(query)
    const command = callOf(page, 'curl').replace('YOUR_API_KEY', server.demoKey ?? '')
    const { stdout } = await run('sh', ['-c', `${command} -s`])
    expect(JSON.parse(stdout).meta.total).toBe(totalOf(page))
  })

  test('is shown as it was parsed', async () => {
    const { text } = await open(
      'spec[water_resistance]=330%20ft&spec[movement_type]=self-winding&brand=ROLEX',
    )
    expect(text).toContain('Water resistance: 330 ft → 100 m')
    expect(text).toContain('Movement type: self-winding → Automatic')
    expect(text).not.toContain('→ Rolex')
  })

  test('from a form is redirected without its empty fields, and with what the form keeps', async () => {
    const sent = async (query: string) => {
      const { status, headers } = await open(query)
      return [status, headers.get('location')]
    }
    expect(await sent('q=&spec[water_resistance][gte]=&retail_price_usd[lte]=+')).toEqual([303, '/explore'])
    expect(await sent('q=oak&spec[case_diameter][lte]=&keep=brand%3Drolex%26spec[a%5D%5Bb]%3D1')).toEqual([
      303,
      '/explore?q=oak&brand=rolex&spec[a][b]=1',
    ])
    expect(await sent('keep=a%253D%250d%0d%0aSet-Cookie:x&q=%C3%BC')).toEqual([
      303,
      '/explore?a%3D%0d%0D%0ASet-Cookie:x&q=%C3%BC',
    ])
  })

  test('is kept by every form of the page', async () => {
    const page = await open('spec[dial_color]=Black&sort=brand&page=2&q=a&spec[case_diameter][gte]=40')
    const kept = [...page.html.matchAll(/name="keep" value="([^"]*)"/g)].map(([, value = '']) =>
      decodeEntities(value),
    )
    expect(kept).toEqual([
      'spec[dial_color]=Black&sort=brand&spec[case_diameter][gte]=40',
      'spec[dial_color]=Black&sort=brand&q=a',
      // The comparison form returns to the same page.
      'spec[dial_color]=Black&sort=brand&page=2&q=a&spec[case_diameter][gte]=40',
    ])
    expect(page.html).toContain('name="spec[case_diameter][gte]" value="40"')
  })
})

describe('a link', () => {
  test.each([
    '',
    'spec[dial_color]=Black',
    'brand=omega',
    'q=steel&retail_price_usd[lt]=9000',
    'facets=crown',
  ])(
    'of a facet value of ?%s leads to exactly as many watches as it says',
    async (query) => {
      const facets = facetsOf(await open(query))
      expect(facets.length).toBeGreaterThan(4)
      for (const { label, values } of facets) {
        const isFree = !values.some(({ isChosen }) => isChosen)
        for (const { href, text, count, isChosen } of isFree ? values : []) {
          const told = [label, text, await askTotal(queryOf(href))]
          expect([isChosen, ...told]).toEqual([false, label, text, count])
        }
      }
      const [{ values: [{ href, count } = { href: '', count: 0 }] = [] } = {}] = facets
      if (query === '') expect(totalOf(await openPage(server.baseUrl, href))).toBe(count)
    },
    60_000,
  )

  test('of a second value of a key adds it, and of a chosen value removes it', async () => {
    const facet = async (query: string) =>
      facetsOf(await open(query)).find(({ label }) => label === 'Dial color')?.values ?? []
    const [black] = (await facet('')).filter(({ text }) => text === 'Black')
    const [blue] = (await facet(queryOf(black?.href ?? ''))).filter(({ text }) => text === 'Blue')
    expect(queryOf(blue?.href ?? '')).toBe('spec[dial_color][]=Black&spec[dial_color][]=Blue')
    const both = await facet(queryOf(blue?.href ?? ''))
    expect(await askTotal(queryOf(blue?.href ?? ''))).toBe((black?.count ?? 0) + (blue?.count ?? 0))
    const chosen = both.filter(({ isChosen }) => isChosen)
    expect(chosen.map(({ text, href }) => [text, queryOf(href)])).toEqual([
      ['Black', 'spec[dial_color]=Blue'],
      ['Blue', 'spec[dial_color]=Black'],
    ])
  })

  test('to the next page leads through every watch once, in the requested order', async () => {
    const seen: number[] = []
    let path: string | undefined = '/explore?spec[dial_color]=Black&sort=-current_market_price'
    while (path !== undefined) {
      const page: ShownPage = await openPage(server.baseUrl, path)
      seen.push(...idsOn(page))
      path = decodeEntities(/rel="next" href="([^"]*)"/.exec(page.html)?.[1] ?? '') || undefined
    }
    const url = `${server.baseUrl}/api/v1/watches?spec[dial_color]=Black&sort=-current_market_price&per_page=100`
    const headers = { authorization: `Bearer ${server.demoKey}` }
    const ids: number[] = []
    for (const number of [1, 2]) {
      const { data } = (await (await fetch(`${url}&page=${number}`, { headers })).json()) as {
        data: { id: number }[]
      }
      ids.push(...data.map(({ id }) => id))
    }
    expect(seen).toEqual(ids)
  })

  test('to the last page is shown past the end', async () => {
    const { html } = await open('page=900')
    expect(html).toContain('<h2>Page 900 does not exist</h2>')
    expect(hrefsOf(html)).toContain('/explore?page=15')
  })

  test('to remove each filter is shown for an empty result, with the remaining count', async () => {
    const page = await open('spec[dial_color]=Green&spec[water_resistance][gte]=3000%20ft&brand=rolex')
    expect(totalOf(page)).toBe(0)
    const ways = [...page.html.matchAll(/href="([^"]*)">Remove it<\/a>, and (still none|[\d,]+)/g)]
    expect(ways).toHaveLength(3)
    for (const [, href = '', left] of ways) {
      expect(await askTotal(queryOf(decodeEntities(href)))).toBe(left === 'still none' ? 0 : Number(left))
    }
  })

  test('to the suggested key is shown for an unknown key', async () => {
    const { text, html } = await open('spec[dail_color]=Black&sort=brand')
    expect(text).toContain('No watch has the spec dail_color. Did you mean dial_color?')
    expect(hrefsOf(html)).toContain('/explore?spec[dial_color]=Black&sort=brand')
  })
})

describe('an invalid query', () => {
  test.each([
    'per_page=0',
    'page=x&sort=price',
    'spec[water_resistance][gte]=deep&brand=rolex',
    'spec=1',
    'spec[a',
    'spec[a][b][c]=1',
    'q=!!',
    'brand=%ff',
    'retail_price_usd[gte]=5,000',
    Array.from({ length: 21 }, (_, at) => `spec[k${at}]=1`).join('&'),
  ])('%s shows the error messages of the API, and a link to start over', async (query) => {
    const page = await open(query)
    expect(page.status).toBe(422)
    expectWhole(page)
    const answer = await fetch(`${server.baseUrl}/api/v1/watches?${query}`, {
      headers: { authorization: `Bearer ${server.demoKey}` },
    })
    const { errors } = (await answer.json()) as { errors: Record<string, string[]> }
    for (const sentence of Object.values(errors).flat()) expect(page.text).toContain(sentence)
    expect(hrefsOf(page.html)).toContain('/explore')
  })

  test('has a link that removes the invalid part, and keeps the rest', async () => {
    const { html } = await open('spec[water_resistance][gte]=deep&brand=rolex')
    const [, href = ''] = /href="([^"]*)">Remove it/.exec(html) ?? []
    expect(href).toBe('/explore?brand=rolex')
  })
})

const engine = createEngine()
const guard = share(() => startSmallServer(engine, { BURST_LIMIT: '50', EXPLORER: 'open' }))

test('page views of one IP address are rate limited, with Retry-After', async () => {
  const guarded = guard()
  guarded.wait(60_000)
  const look = () => openPage(guarded.baseUrl, '/explore/brands')
  let last = await look()
  for (let views = 1; views < 9; views++) last = await look()
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1'])
  expectWhole(last)
  for (let views = 0; views < 300; views++) {
    if (views % 8 === 0) guarded.wait(1_000)
    last = await look()
  }
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(10)
  guarded.wait(60_000)
  expect((await look()).status).toBe(200)
  expect((await guarded.get('/api/v1/watches')).status).toBe(200)
})

test('a filtered front page counts as a view, the front page itself does not', async () => {
  const guarded = guard()
  guarded.wait(60_000)
  const look = (path: string) => openPage(guarded.baseUrl, path)
  let last = await look('/?q=rolex')
  for (let views = 1; views < 9; views++) last = await look(views % 2 === 0 ? '/explore' : '/?q=rolex')
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1'])
  const filtered = await look('/?q=rolex')
  expect(filtered.status).toBe(429)
  expectWhole(filtered)
  expect((await look('/')).status).toBe(200)
})

test('the filter of the front page ignores parameters other than its own fields', async () => {
  const watchesOf = async (path: string) =>
    [...(await openPage(server.baseUrl, path)).html.matchAll(/\/explore\/watches\/(\d+)/g)].map(
      ([, id]) => id,
    )
  const usual = await watchesOf('/')
  expect(usual).not.toEqual([])
  for (const query of [
    'ids=5,6,7,8',
    'page=3',
    'brand=rolex',
    'per_page=100',
    'utm_source=x',
    '%zz',
    'spec[x]=1',
  ]) {
    expect([query, await watchesOf(`/?${query}`)]).toEqual([query, usual])
  }
  expect(await watchesOf('/?q=speedmaster&page=2&ids=1')).toEqual(await watchesOf('/?q=speedmaster'))
  expect(await watchesOf('/?q=speedmaster')).not.toEqual(usual)
})

function idsOn({ html }: ShownPage): number[] {
  return [...html.matchAll(/name="compare" value="(\d+)"/g)].map(([, id]) => Number(id))
}
