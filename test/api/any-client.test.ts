// Tests what clients send that nobody wrote by hand for this API: objects turned into text, lists in a value, names of
// other APIs, empty bodies of any type, addresses that are too long.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { sendRaw } from './running-server.ts'
import { serveSample } from './sample-server.ts'
import { receiverUrl, startWebhookServer } from './webhook-server.ts'

const sample = serveSample()

async function ask(path: string) {
  const response = await sample.get(`/api/v1${path}`)
  const body = (await response.json()) as {
    data: { id: number }[]
    meta: { total: number; per_page: number; current_page: number }
    errors?: Record<string, string[]>
  }
  return { status: response.status, headers: response.headers, body }
}

describe('a filter has the same matches', () => {
  test.each([
    ['spec[water_resistance][gte]=300%20m', 'spec[water_resistance:gte]=300%20m'],
    ['spec[water_resistance][gte]=300%20m', 'spec%5Bwater_resistance%3Agte%5D=300+m'],
    ['spec[dial_color][]=Black&spec[dial_color][]=Blue', 'spec[dial_color:any]=Black,Blue'],
    [
      'spec[dial_color][]=Black&spec[dial_color][]=Blue',
      'spec[dial_color][0]=Black&spec[dial_color][1]=Blue',
    ],
    ['spec[movement_type][not]=Automatic', 'spec[movement_type:not]=Automatic'],
    ['spec[limited_edition][exists]=true', 'spec[limited_edition:exists]=True'],
    ['spec[movement_type][exact]=Hand-wound', 'spec[movement_type:exact]=Hand-wound'],
    ['spec[dial_color]=Black', 'spec[dial_color:is]=Black'],
    ['current_market_price[lt]=999.5', 'current_market_price:lt=999.5'],
    [
      'retail_price_usd[gte]=5000&retail_price_usd[lt]=10000',
      'retail_price_usd:gte=5000&retail_price_usd%3Alt=10000',
    ],
    ['ids=1,2', 'ids=1&ids=2'],
    ['ids=1,2', 'ids[]=1&ids[]=2'],
    ['ids=1,2', 'ids[0]=1&ids[1]=2'],
    ['spec[dial_color:any]=Black,Blue', 'spec[dial_color:any][]=Black&spec[dial_color:any][]=Blue'],
    ['spec[dial_color:any]=Black,Blue', 'spec[dial_color][any][0]=Black&spec[dial_color][any][1]=Blue'],
    [
      'spec[dial_color][not][]=Black&spec[dial_color][not][]=Blue',
      'spec[dial_color:not]=Black&spec[dial_color:not]=Blue',
    ],
    ['brand[]=Rolex&brand[]=Omega', 'brand:any=Rolex,Omega'],
    ['reference_number[]=116610LV&reference_number[]=191.032', 'reference_number:any=116610LV,191032'],
    // The value has a comma itself.
    ['spec[frequency][]=28,800%20vph', 'spec[frequency:any]=28,800%20vph'],
    [
      'spec[frequency][]=28,800%20vph&spec[frequency][]=21,600%20vph',
      'spec[frequency:any]=28,800%20vph&spec[frequency:any]=21,600%20vph',
    ],
  ])('as %s if it is written as %s', async (usual, other) => {
    const [one, two] = [await ask(`/watches?${usual}`), await ask(`/watches?${other}`)]
    expect(one.body.meta.total).toBeGreaterThan(0)
    expect(two.body).toEqual(one.body)
    expect(two.headers.get('x-unknown-parameters')).toBeNull()
  })
})

describe('a value that no watch has, but that means something in another spelling:', () => {
  test.each([
    ['spec[dial_color]=Black,Blue', 'spec[dial_color][]=Black&spec[dial_color][]=Blue'],
    ['spec[dial_color]=Black%20%7C%20Blue', 'spec[dial_color][]=Black&spec[dial_color][]=Blue'],
    ['spec[dial_color]=Black,nothing', 'spec[dial_color][]=Black&spec[dial_color][]=nothing'],
    ['spec[dial_color][]=Black,Blue', 'spec[dial_color][]=Black&spec[dial_color][]=Blue'],
    ['spec[dial_color:any]=Black|Blue', 'spec[dial_color][]=Black&spec[dial_color][]=Blue'],
    ['brand=Rolex,Omega', 'brand[]=Rolex&brand[]=Omega'],
    ['reference_number=116610LV;nothing', 'reference_number[]=116610LV&reference_number[]=nothing'],
    ['spec[case_diameter]=38-40%20mm', 'spec[case_diameter][gte]=38%20mm&spec[case_diameter][lte]=40%20mm'],
    ['spec[water_resistance]=100..300', 'spec[water_resistance][gte]=100&spec[water_resistance][lte]=300'],
    ['spec[limited_edition]=1', 'spec[limited_edition]=true'],
    ['brand=A.%2520Lange%2520%2526%2520S%25C3%25B6hne', 'brand=A.%20Lange%20%26%20S%C3%B6hne'],
    ['spec[dial_color]=nothing,more', null],
    ['spec[dial_color]=Black%3Bbrand%3DSeiko', null],
    ['spec[dial_color]=Black', null],
  ])('%s is answered with %s', async (query, meant) => {
    const { headers, body } = await ask(`/watches?${query}`)
    expect(headers.get('x-did-you-mean')).toBe(meant)
    if (meant === null) return
    expect(body.meta.total).toBe(0)
    expect((await ask(`/watches?${meant}`)).body.meta.total).toBeGreaterThan(0)
  })
})

test('a list of values that is left out as one value is answered with the list', async () => {
  const { headers, body } = await ask('/watches?spec[dial_color:not]=Black,Blue')
  const meant = headers.get('x-did-you-mean')
  expect(meant).toBe('spec[dial_color][not][]=Black&spec[dial_color][not][]=Blue')
  const { total } = (await ask(`/watches?${meant}`)).body.meta
  expect(total).toBeLessThan(body.meta.total)
  const either = (await ask('/watches?spec[dial_color:any]=Black,Blue')).body.meta.total
  const having = (await ask('/watches?spec[dial_color:exists]=yes')).body.meta.total
  expect(total).toBe(having - either)
})

describe('a parameter that nobody knows', () => {
  test.each([
    ['/watches?limit=2', 'limit; did_you_mean=per_page'],
    ['/watches?pageSize=2&offset=20', 'pageSize; did_you_mean=per_page, offset; did_you_mean=page'],
    ['/watches?specs[dial_color]=Black', 'specs[dial_color]; did_you_mean=spec[dial_color]'],
    ['/watches?specs%5Bdial_color%5D=Black', 'specs[dial_color]; did_you_mean=spec[dial_color]'],
    ['/watches?dial_color=Black', 'dial_color; did_you_mean=spec[dial_color]'],
    ['/watches?dialColor=Black', 'dialColor; did_you_mean=spec[dial_color]'],
    ['/watches?case_diameter__gte=40', 'case_diameter__gte; did_you_mean=spec[case_diameter:gte]'],
    [
      '/watches?filter[case_diameter][gte]=40',
      'filter[case_diameter][gte]; did_you_mean=spec[case_diameter:gte]',
    ],
    ['/watches?case_diameter_min=40', 'case_diameter_min; did_you_mean=spec[case_diameter:gte]'],
    ['/watches?retail_price_usd__gte=4', 'retail_price_usd__gte; did_you_mean=retail_price_usd:gte'],
    ['/watches?min_price=4', 'min_price; did_you_mean=current_market_price:gte'],
    ['/watches?spec.dial_color=Black', 'spec.dial_color; did_you_mean=spec[dial_color]'],
    ['/watches?colection=x&orderBy=brand', 'colection; did_you_mean=collection, orderBy; did_you_mean=sort'],
    ['/watches?utm_source=x', 'utm_source'],
    ['/watches?%C3%BCber=x&a,b;c=1', '%C3%BCber, a%2Cb%3Bc'],
    ['/watches/1?fields=id', 'fields'],
    ['/brands?limit=2', 'limit; did_you_mean=per_page'],
    ['/brands/rolex/watches?dial_color=Black', 'dial_color; did_you_mean=spec[dial_color]'],
    ['/specs?q=dial', 'q'],
    ['/suggest?query=rol&q=rol', 'query; did_you_mean=q'],
    ['/usage?verbose=1', 'verbose'],
  ])('is named in the response to %s', async (path, header) => {
    for (let repeated = 0; repeated < 2; repeated++) {
      const { status, headers } = await ask(path)
      expect([status, headers.get('x-unknown-parameters')]).toEqual([200, header])
    }
  })

  test('is refused where the request is strict', async () => {
    for (const yes of ['1', 'true', 'yes']) {
      const { status, body } = await ask(`/watches?limit=2&nobody[x]=1&strict=${yes}`)
      expect([status, body.errors]).toEqual([
        422,
        {
          limit: ['The limit is not known: per_page may be meant.'],
          'nobody[x]': [
            expect.stringMatching(
              /^The nobody\[x\] is not known: the parameters are spec, page, .*, explain or strict\.$/,
            ),
          ],
        },
      ])
    }
    expect(
      (await ask('/watches?spec[dail_color]=Black&facets=nothing_like_it&strict=1')).body.errors,
    ).toEqual({
      'spec.dail_color': ['No watch has the spec key dail_color: dial_color may be meant.'],
      'spec.nothing_like_it': ['No watch has the spec key nothing_like_it: /specs lists all keys.'],
    })
    expect((await ask('/watches?limit=2&strict=0')).status).toBe(200)
    expect((await ask('/watches/1?strict=true')).headers.get('x-unknown-parameters')).toBeNull()
    expect((await ask('/watches?strict=maybe')).body.errors).toEqual({
      strict: ['The strict field must be true or false.'],
    })
  })
})

describe('pages by id', () => {
  test('begin after a watch, and each links to the next until the last', async () => {
    const seen: number[] = []
    const filter = 'spec[movement_type]=automatic'
    const { total } = (await ask(`/watches?${filter}`)).body.meta
    for (let path: string | undefined = `/watches?${filter}&after=0&per_page=40`; path !== undefined; ) {
      const { headers, body } = await ask(path)
      seen.push(...body.data.map(({ id }) => id))
      expect(body.meta).toEqual({ current_page: Math.ceil(seen.length / 40), per_page: 40, total })
      const next = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (next !== undefined) expect(next).toContain(`&after=${seen.at(-1)}`)
      path = next
    }
    expect(seen).toHaveLength(total)
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other))
  })

  test('may begin anywhere, also after the last watch', async () => {
    const { body } = await ask('/watches?after=100&per_page=2&fields=id')
    expect(body.data).toEqual([{ id: 101 }, { id: 102 }])
    const last = await ask('/watches?after=9007199254740991')
    expect([last.body.data, last.headers.get('link')?.includes('next')]).toEqual([[], false])
  })

  test('are those that the links of the ordinary pages lead to, where the order is by id', async () => {
    const { headers } = await ask('/brands/omega/watches?per_page=5')
    expect(headers.get('link')).toMatch(/page=2&per_page=5&after=\d+>; rel="next"/)
    for (const sort of ['sort=-id', 'sort=brand', 'q=omega'])
      expect((await ask(`/watches?${sort}&per_page=5`)).headers.get('link')).not.toContain('after=')
  })
})

describe('requests as libraries send them', () => {
  const server = share(() => startWebhookServer(createEngine()))

  test('an empty POST may have any content type, or none', async () => {
    const { ask, send } = server()
    const { body } = await send('pro', 'POST', '/webhooks', { endpoint_url: receiverUrl })
    const id = body.data.id
    const types = [
      undefined,
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json',
      'application/octet-stream',
    ]
    for (const type of types) {
      for (const empty of ['', undefined]) {
        for (const path of [`/webhooks/${id}/test`, `/webhooks/${id}/rotate-secret`]) {
          const response = await ask('pro', path, {
            method: 'POST',
            headers: type === undefined ? {} : { 'content-type': type },
            ...(empty !== undefined && { body: new Blob([empty]) }),
          })
          await response.text()
          expect([type, path, response.status]).toEqual([type, path, path.endsWith('test') ? 202 : 200])
        }
      }
    }
    const form = await ask('pro', `/webhooks/${id}/test`, {
      method: 'POST',
      body: new URLSearchParams({ a: '1' }),
    })
    expect(form.status).toBe(415)
  })

  test('an empty POST in chunks needs no content type either, but what it contains must be JSON', async () => {
    const { keys, port } = server()
    const post = (body: string) =>
      sendRaw(
        port,
        `POST /api/v1/webhooks/1/test HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.pro}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}`,
      )
    expect(await post('0\r\n\r\n')).toMatch(/^HTTP\/1\.1 (404|202) /)
    expect(await post('1\r\nx\r\n0\r\n\r\n')).toMatch(/^HTTP\/1\.1 415 /)
  })

  test.each([
    ['an address of 9 KB', (key: string) => [`GET /api/v1/watches?q=${'x'.repeat(9_000)}`, key], 414],
    ['an address of 20 KB', (key: string) => [`GET /api/v1/watches?q=${'x'.repeat(20_000)}`, key], 414],
    ['headers of 20 KB', (key: string) => ['GET /api/v1/watches', `${key}X: ${'x'.repeat(20_000)}\r\n`], 431],
    ['150 headers', (key: string) => ['GET /api/v1/watches', `${key}${'X: y\r\n'.repeat(150)}`], 431],
    ['an expectation', (key: string) => ['GET /api/v1/watches', `${key}Expect: miracles\r\n`], 417],
    ['a broken path', (key: string) => ['GET /api/v1/watches/%zz', key], 400],
  ])('%s is refused with the limit of the key that was sent', async (_what, of, status) => {
    const { keys, port } = server()
    const head = async (key: string) => {
      const [line, headers] = of(key)
      const answer = await sendRaw(port, `${line} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`)
      return answer.toLowerCase()
    }
    const known = await head(`Authorization: Bearer ${keys.pro}\r\n`)
    expect(known).toMatch(new RegExp(`^http/1.1 ${status} `))
    expect(known).toMatch(/x-ratelimit-limit: [1-9]/)
    expect(known).toMatch(/x-ratelimit-remaining: [1-9]/)
    expect(known).toContain('access-control-allow-origin: *')
    const unknown = await head('Authorization: Bearer nobody\r\n')
    expect(unknown).toMatch(/x-ratelimit-limit: 0\r/)
  })

  test('an address of 100 KB is refused as too long, not as a header', async () => {
    const { port } = server()
    const answer = await sendRaw(
      port,
      `GET /api/v1/watches?q=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 414 /)
  })
})

test('any encoding is gzip', async () => {
  const response = await sample.get('/api/v1/watches', { headers: { 'accept-encoding': '*' } })
  await response.text()
  expect(response.headers.get('content-encoding')).toBe('gzip')
  for (const path of ['/docs', '/openapi.json', '/docs/filters.md']) {
    const page = await fetch(sample.baseUrl + path, { headers: { 'accept-encoding': '*' } })
    await page.text()
    expect([path, page.headers.get('content-encoding')]).toEqual([path, 'gzip'])
  }
})
