// Tests the search of GET /watches with texts as people type them, over the sample: what is found and comes first, how
// `explain` and headers tell what was understood, and that the other parameters work as without a search.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
type Watch = (typeof sample.watches)[number]

const server = serveSample()

const of = (brand: string, collection?: string) => (watch: Watch) =>
  watch.brand === brand && (collection === undefined || watch.collection === collection)
const reference =
  (...wanted: string[]) =>
  (watch: Watch) =>
    wanted.includes(watch.reference_number)
const isMoonwatch = reference(
  ...['310.30.42.50.01.001', '310.30.42.50.01.002', '310.30.42.50.04.001'],
  ...['310.32.42.50.02.001', '311.30.42.30.01.005'],
)
const isSmall = (value: unknown) => number(value) <= 34 && !/cm|in/.test(String(value))
const isLimited = (value: unknown) => value !== undefined && value !== null && value !== false
const number = (value: unknown) => Number.parseFloat(String(value))

describe('a search finds', () => {
  test.each<[string, string, (watch: Watch) => boolean]>([
    ['a mistyped word', 'submarner', of('Rolex', 'Submariner')],
    ['two mistyped words', 'audemar piget', of('Audemars Piguet')],
    ['swapped letters', 'Omgea constelation', reference('130.33.39.21.03.001')],
    ['the beginning of the last word', 'royal oak offsh', of('Audemars Piguet', 'Royal Oak Offshore')],
    ['the beginning of another word that no watch has', 'chronom sport', of('Zenith', 'Chronomaster Sport')],
    ['one word typed as two', 'sub mariner', of('Rolex', 'Submariner')],
    ['two words typed as one', 'skydweller', of('Rolex', 'Sky-Dweller')],
    ['a word without its accent', 'panthere', of('Cartier', 'Panthère')],
    ['a brand by its short name', 'JLC reverso', of('Jaeger-LeCoultre', 'Reverso')],
    ['a nickname', 'speedy pro sapphire sandwich', reference('310.30.42.50.01.002')],
    ['a reference in two words', '126610 ln', reference('126610LN')],
    ['a reference without its dots', '31030425001001', reference('310.30.42.50.01.001')],
    ['a reference in the spelling of the maker’s site', 'm126610ln-0001', reference('126610LN')],
    ['the base of a reference', 'AP 15500', reference('15500ST.OO.1220ST.01')],
    ['digits alone only as they are', '124061', () => false],
    ['one word too many', 'rolex datejust watch mens', of('Rolex', 'Datejust')],
    ['a brand rather than words that few watches have', 'montre pas chère casio', of('Casio')],
    ['a brand by its first word', 'jaeger reverso', of('Jaeger-LeCoultre', 'Reverso')],
    ['a brand in Japanese', 'グランドセイコー', of('Grand Seiko')],
    ['another word for it', 'milanese breitling', reference('AB2010121B1A1')],
    ['a numeral in the other spelling', 'explorer 2', of('Rolex', 'Explorer II')],
    ['mistyped words that mean something together', 'speedmastr profesional', isMoonwatch],
    ['a brand before the beginning of another one’s reference', 'rolex 5000', of('Rolex')],
    ['a variant by its base', 'skx007j1', reference('SKX007')],
    [
      'a value that says the same and more',
      'or rose',
      ({ specs }) => /rose|pink/i.test(`${specs.case_material}`),
    ],
    [
      'a German word with its ending',
      'grünes Zifferblatt',
      ({ specs }) => /green/i.test(`${specs.dial_color}`),
    ],
    ['a German word joined with Uhr', 'Damenuhr', ({ specs }) => isSmall(specs.case_diameter)],
    ['a key that some watches have', 'limited edition', ({ specs }) => isLimited(specs.limited_edition)],
  ])('%s: %s', async (_what, q, isMeant) => {
    const { data } = await search(q)
    const first = data.slice(0, sample.watches.filter(isMeant).length)
    expect(first.map(nameOf).sort()).toEqual(sample.watches.filter(isMeant).map(nameOf).sort())
  })

  test.each<[string, (watch: Watch) => boolean]>([
    ['38 mm', ({ specs }) => number(specs.case_diameter) === 38 || specs.case_diameter === '3.8 cm'],
    ['unter 300 Euro', (watch) => (watch.current_market_price ?? watch.retail_price_usd ?? 1e9) < 300],
    ['under $300', (watch) => (watch.current_market_price ?? watch.retail_price_usd ?? 1e9) < 300],
    [
      'between 2k and 4k omega',
      (watch) =>
        watch.brand === 'Omega' &&
        (watch.current_market_price ?? 0) >= 2000 &&
        (watch.current_market_price ?? 0) <= 4000,
    ],
    ['43 jewels', ({ specs }) => number(specs.jewels) === 43],
  ])('the watches of a size or price, before those that only have the words: %s', async (q, isMeant) => {
    const { data } = await search(q)
    const meant = sample.watches.filter(isMeant)
    expect(data.slice(0, meant.length).map(nameOf).sort()).toEqual(meant.map(nameOf).sort())
    expect(meant.length).toBeGreaterThan(0)
  })

  test.each([
    ['seiko', of('Seiko')],
    ['royal oak', of('Audemars Piguet', 'Royal Oak')],
    ['speedmaster', of('Omega', 'Speedmaster')],
    ['green dial', ({ specs }: Watch) => String(specs.dial_color).toLowerCase() === 'green'],
  ])('first what is named exactly: %s', async (q, isMeant) => {
    const { data } = await search(q)
    const meant = sample.watches.filter(isMeant).length
    expect(data.slice(0, meant).every(isMeant)).toBe(true)
  })

  test('every exact reference first', async () => {
    for (const watch of sample.watches.filter((_, at) => at % 7 === 0)) {
      const { data } = await search(watch.reference_number)
      expect({ asked: watch.reference_number, found: data[0]?.reference_number }).toEqual({
        asked: watch.reference_number,
        found: watch.reference_number,
      })
    }
  })
})

describe('a search tells how it read the text', () => {
  test.each([
    ['submarner', [['submarner', 'submariner', 'typo']]],
    [
      'stainless steal',
      [
        ['stainless', 'Stainless steel', 'synonym'],
        ['steal', 'steel or seal', 'typo'],
      ],
    ],
    ['116610LN', [['116610ln', '116610…', 'base']]],
    [
      'mens watch',
      [
        ['mens', '', 'optional'],
        ['watch', '', 'optional'],
      ],
    ],
    ['skydweller', [['skydweller', 'sky dweller', 'split']]],
    [
      'ap 15500',
      [
        ['ap', 'Audemars Piguet', 'brand'],
        ['15500', '15500…', 'reference'],
      ],
    ],
    ['hulk', [['hulk', 'Rolex 116610LV', 'nickname']]],
    ['gray dial', [['gray dial', 'dial_color: gray', 'value']]],
    ['self winding', [['self winding', 'Automatic', 'synonym']]],
    ['300m', [['300m', 'spec[water_resistance]=300 m', 'filter']]],
    ['<10k', [['10k', 'current_market_price < 10000, or retail_price_usd where there is none', 'price']]],
    [
      'rolex watch glorb',
      [
        ['rolex', 'Rolex', 'brand'],
        ['watch', '', 'optional'],
        ['glorb', '', 'dropped'],
      ],
    ],
  ])('in explain: %s', async (q, readings) => {
    const { explain } = await search(q, 'explain=1')
    const [{ parameter, values }] = explain as [Explained]
    expect(parameter).toBe('q')
    expect(values.map(({ written, read_as, kind }) => [written, read_as, kind])).toEqual(readings)
  })

  test('in explain, beside the filters, with the watches that the text finds alone', async () => {
    const { explain, meta } = await search('speedmaster', 'explain=1&spec[dial_color]=black')
    expect(explain.map(({ parameter }) => parameter)).toEqual(['spec[dial_color]', 'q'])
    expect(explain[1]?.total).toBe((await search('speedmaster')).meta.total)
    expect(meta.total).toBeLessThan(explain[1]?.total ?? 0)
  })

  test.each([
    ['submarner', 'submarner; did_you_mean=submariner'],
    ['aquanot', 'aquanot; did_you_mean=aquanaut'],
    ['rolex xqzw', 'xqzw'],
    ['rolex submariner', null],
    ['%E2%80%9C%D8%A7', '%D8%A7'],
  ])('in a header, if a word is unknown: %s', async (q, header) => {
    const response = await server.get(`/api/v1/watches?q=${q}`)
    expect(response.headers.get('x-unknown-words')).toBe(header)
  })
})

describe('with a search', () => {
  test('pages hold every match once, best first', async () => {
    const whole = await search('chronograph steel')
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => search('chronograph steel', `per_page=7&page=${page}`)),
    )
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data.slice(0, 35))
    expect(new Set(whole.data.map(({ id }) => id)).size).toBe(whole.data.length)
  })

  test('filters narrow what the text means, and facets count it', async () => {
    const { data, meta, facets } = await search('diver', 'spec[dial_color]=blue&facets=brand')
    expect(data.every(({ specs }) => /blue/i.test(String(specs.dial_color)))).toBe(true)
    expect((facets.brand ?? []).reduce((sum, { count }) => sum + count, 0)).toBe(meta.total)
  })

  test('another order may be asked for', async () => {
    const { data } = await search('rolex', 'sort=-current_market_price')
    const prices = data.map(({ current_market_price }) => current_market_price ?? 0)
    expect(prices).toEqual(prices.toSorted((one, other) => other - one))
    const byId = await search('rolex', 'sort=id')
    expect(byId.data.map(({ id }) => id)).toEqual(byId.data.map(({ id }) => id).toSorted((a, b) => a - b))
  })

  test('relevance is an order only with a text, and has one direction', async () => {
    const response = await server.get('/api/v1/watches?sort=relevance&per_page=3')
    expect(((await response.json()) as List).data.map(({ id }) => id)).toEqual([1, 2, 3])
    expect((await server.get('/api/v1/watches?q=rolex&sort=-relevance')).status).toBe(422)
  })

  test('equal texts have one ETag', async () => {
    const etag = async (q: string) => (await server.get(`/api/v1/watches?q=${q}`)).headers.get('etag')
    expect(await etag('Panth%C3%A8re')).toBe(await etag('panthere'))
    expect(await etag('rolex')).not.toBe(await etag('rolex%20watch'))
  })
})

interface Explained {
  readonly parameter: string
  readonly values: readonly { readonly written: string; readonly read_as: string; readonly kind: string }[]
  readonly total: number
}

interface List {
  readonly data: readonly (Watch & { readonly id: number })[]
  readonly meta: { readonly total: number }
  readonly explain: readonly Explained[]
  readonly facets: Record<string, { readonly count: number }[]>
}

async function search(q: string, rest = ''): Promise<List> {
  const response = await server.get(
    `/api/v1/watches?q=${encodeURIComponent(q)}&per_page=100&${rest}`.replace(
      /per_page=100&(.*per_page)/,
      '$1',
    ),
  )
  return (await response.json()) as List
}

function nameOf({ brand, reference_number }: Watch): string {
  return `${brand} ${reference_number}`
}
