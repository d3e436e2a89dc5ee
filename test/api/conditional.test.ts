// Tests validators over real HTTP: equal responses share an ETag, different responses have different ETags, and a
// caller that already has the response gets 304.
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { catalogueAddresses, serveSample } from './sample-server.ts'

const rolexId = (await readSample()).brands.findIndex(({ slug }) => slug === 'rolex') + 1
const server = serveSample()

describe('an ETag', () => {
  test('is strong, and different for every response', async () => {
    const queries = [
      '',
      '?page=2',
      '?per_page=24',
      '?sort=-id',
      '?sort=brand',
      '?sort=-brand',
      '?fields=id',
      '?fields=id,brand',
      '?facets=brand',
      '?facets=dial_color',
      '?explain=1',
      '?spec[dial_color]=Black',
      '?spec[dial_color]=Blue',
      '?spec[dial_color][not]=Black',
      '?spec[dial_color][exact]=Grey',
      '?spec[dial_color]=Grey',
      '?spec[jewels][gt]=20',
      '?spec[jewels][gte]=20',
      '?spec[jewels]=20',
      '?q=black',
      '?q=black+x',
      '?ids=1',
      '?ids=1,2',
      '?brand=rolex',
      '?brand=omega',
      '?collection=tank',
      '?retail_price_usd[gt]=1',
      '?current_market_price[gt]=1',
      '?spec[a]=b%20c&spec[d]=e',
      '?spec[a]=b&spec[c%20d]=e',
    ]
    const addresses = [
      ...catalogueAddresses,
      ...queries.map((query) => `/watches${query}`),
      '/watches/2',
      '/brands?page=2',
      '/brands?sort=-name',
      '/brands/omega',
      '/brands/omega/watches',
      '/specs/jewels',
      '/specs/dial_color?page=2',
      '/specs/dial_color?per_page=2',
    ]
    const etags = new Map<string, string>()
    for (const address of new Set(addresses)) {
      const { headers } = await ask(address)
      expect(headers.etag).toMatch(/^"[\w.-]+"$/)
      expect([address, etags.get(headers.etag ?? '')]).toEqual([address, undefined])
      etags.set(headers.etag ?? '', address)
      expect((await ask(address)).headers.etag).toBe(headers.etag)
    }
  })

  test.each([
    [
      '/watches',
      '/watches?',
      '/watches?page=1',
      '/watches?per_page=25&sort=id',
      '/watches?explain=0',
      '/watches?utm=x',
    ],
    [
      '/watches?spec[dial_color]=Black',
      '/watches?spec%5Bdial_color%5D=%20bLACK',
      '/watches?spec[dial_color][]=black&page=1',
    ],
    ['/watches?spec[dial_color]=Black&brand=rolex', '/watches?brand=Rolex&spec[dial_color]=Black'],
    [
      '/watches?spec[water_resistance]=100+m',
      '/watches?spec[water_resistance]=330+ft',
      '/watches?spec[water_resistance]=10%20bar',
    ],
    ['/watches?spec[dial_color]=gray', '/watches?spec[dial_color]=Grey'],
    ['/watches?spec[jewels][gt]=20', '/watches?spec[jewels][gt]=20.0'],
    [
      '/watches?spec[dial_color][]=Black&spec[dial_color][]=Blue',
      '/watches?spec[dial_color][]=blue&spec[dial_color][]=black&spec[dial_color][]=Black',
    ],
    ['/watches?brand=AP', '/watches?brand=audemars-piguet', '/watches?brand=audemars%20PIGUET'],
    ['/watches?ids=1,2,3', '/watches?ids=3,1,2,2'],
    ['/watches?q=Royal+Oak', '/watches?q=royal%20%20oak'],
    ['/watches?reference_number=191.032', '/watches?reference_number=191+032'],
    ['/watches?fields=id,specs.jewels,brand', '/watches?fields=specs.jewels,brand,id,id'],
    ['/brands', '/brands?sort=name&page=1', '/brands?per_page=25'],
    ['/brands/rolex', `/brands/${rolexId}`],
    ['/specs/dial_color', '/specs/dial_color?page=1&per_page=25', '/specs/dial%5Fcolor'],
  ])('is the same for equivalent requests: %s, %s', async (first, ...others) => {
    const { headers, body } = await ask(first)
    for (const other of others) {
      const answer = await ask(other)
      expect([other, answer.body.toString()]).toEqual([other, body.toString()])
      expect([other, answer.headers.etag]).toEqual([other, headers.etag])
    }
  })
})

describe('a conditional request', () => {
  test.each(catalogueAddresses)('with a current ETag gets 304 without a body: %s', async (path) => {
    const plain = await ask(path)
    const encoded = await ask(path, { 'accept-encoding': 'br' })
    for (const [encoding, etag] of [
      ['identity', plain.headers.etag],
      ['br', encoded.headers.etag],
      ['br', plain.headers.etag],
    ]) {
      for (const held of [`${etag}`, `W/${etag}`, `"x", ${etag}`, `"a,b" , W/"y",${etag},`, '*']) {
        const { status, headers, body } = await ask(path, {
          'accept-encoding': encoding ?? '',
          'if-none-match': held,
        })
        expect([path, held, status, body.length]).toEqual([path, held, 304, 0])
        if (held !== '*') expect(headers.etag).toBe(etag)
        expect(headers).not.toHaveProperty('content-type')
        expect(headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'private, no-cache' })
      }
    }
  })

  test.each(['"nothing"', 'nothing', '', '""', '"*"', 'w/"x"', '"x', '*, "x"'])(
    'with another ETag gets the whole response: %s',
    async (held) => expect((await ask('/watches', { 'if-none-match': held })).status).toBe(200),
  )

  test('with the ETag of another encoding gets the whole response', async () => {
    const { headers } = await ask('/watches', { 'accept-encoding': 'gzip' })
    const held = { 'if-none-match': headers.etag ?? '' }
    expect((await ask('/watches', held)).status).toBe(200)
    expect((await ask('/watches', { ...held, 'accept-encoding': 'br' })).status).toBe(200)
  })

  test.each([
    [401, '/watches', { authorization: 'Bearer x' }],
    [404, '/watches/999999', {}],
    [404, '/brands/nobody/watches', {}],
    [422, '/watches?page=0', {}],
  ])('that fails gets the error, whatever its ETag: %i', async (status, path, more) => {
    expect((await ask(path, { 'if-none-match': '*', ...more })).status).toBe(status)
  })
})

/** Uses node:http, because fetch decodes the body. */
function ask(path: string, more: Record<string, string> = {}, method = 'GET') {
  const headers = { authorization: `Bearer ${server.demoKey}`, ...more }
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const request = httpGet(`${server.baseUrl}/api/v1${path}`, { method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) })
      })
    })
    request.on('error', reject)
  })
}
