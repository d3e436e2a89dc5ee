// Tests the filters of GET /watches by fields, with the sample: each finds exactly what a naive scan of the
// sample finds.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
type Watch = (typeof sample.watches)[number]

const server = serveSample()

const none = () => false
const lower = (value: unknown) => String(value).toLowerCase()
const is =
  (key: string, ...spellings: string[]) =>
  ({ specs }: Watch) =>
    spellings.includes(lower(specs[key]))
const price = (watch: Watch, field: 'retail_price_usd' | 'current_market_price', otherwise: number) =>
  watch[field] ?? otherwise

describe('a field', () => {
  test.each<[string, string, (watch: Watch) => boolean]>([
    [
      'brand is found by its name, whatever its case',
      'brand=a.%20lange%20%26%20S%C3%96HNE',
      ({ brand }) => brand === 'A. Lange & Söhne',
    ],
    ['brand is found by its slug', 'brand=a-lange-soehne', ({ brand }) => brand === 'A. Lange & Söhne'],
    [
      'brand is found without accents, spaces and punctuation, or with oe for ö',
      'brand=a.lange%20%26%20soehne',
      ({ brand }) => brand === 'A. Lange & Söhne',
    ],
    ['brand is found by an alias', 'brand=ap', ({ brand }) => brand === 'Audemars Piguet'],
    ['a partial brand name finds none', 'brand=Audemar', none],
    [
      'collection is compared as specs are',
      'collection=%20royal%20%20OAK',
      ({ collection }) => collection === 'Royal Oak',
    ],
    [
      'reference_number ignores case, spaces, dots, dashes and slashes',
      'reference_number=br-0392%20d.bl/st-srb',
      ({ reference_number }) => reference_number === 'BR0392-D-BL-ST/SRB',
    ],
    ['reference_number is compared as a whole', 'reference_number=191.03', none],
    [
      'retail_price_usd takes a range',
      'retail_price_usd[gte]=5000&retail_price_usd[lt]=10000',
      (watch) => price(watch, 'retail_price_usd', 0) >= 5000 && price(watch, 'retail_price_usd', 0) < 10_000,
    ],
    [
      'current_market_price takes a range',
      'current_market_price[gt]=500.5&current_market_price[lte]=2000',
      (watch) =>
        price(watch, 'current_market_price', 0) > 500.5 && price(watch, 'current_market_price', 0) <= 2000,
    ],
    [
      'a price matches one number',
      'retail_price_usd=43000',
      ({ retail_price_usd }) => retail_price_usd === 43_000,
    ],
    [
      'an unknown price is in no range',
      'retail_price_usd[lt]=1000000000',
      ({ retail_price_usd }) => retail_price_usd !== null,
    ],
    ['a price below zero finds none', 'current_market_price[lte]=-1', none],
    [
      'fields and specs are combined with AND',
      'brand=rolex&spec[dial_color]=black&retail_price_usd[gt]=9000',
      (watch) =>
        watch.brand === 'Rolex' &&
        is('dial_color', 'black')(watch) &&
        price(watch, 'retail_price_usd', 0) > 9000,
    ],
  ])('%s', (_guarantee, query, isMeant) => expectToFind(query, isMeant))

  test('ids finds those that exist, each once and in order of id', async () => {
    expect(await find('ids=30,2,2,999999,1')).toEqual({ total: 3, ids: [1, 2, 30] })
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1)
    expect(await find(`ids=${hundred.join(',')}`)).toEqual({ total: 100, ids: hundred })
  })
})

async function expectToFind(query: string, isMeant: (watch: Watch) => boolean): Promise<void> {
  const ids = sample.watches.flatMap((watch, at) => (isMeant(watch) ? [at + 1] : []))
  expect(await find(query)).toEqual({ total: ids.length, ids: ids.slice(0, 100) })
  // An example that finds nothing tests nothing, unless that is expected.
  if (isMeant !== none) expect(ids.length).toBeGreaterThan(0)
}

async function find(query: string): Promise<{ total: number; ids: number[] }> {
  const response = await server.get(`/api/v1/watches?${query}&per_page=100`)
  const { data, meta } = (await response.json()) as { data: { id: number }[]; meta: { total: number } }
  return { total: meta.total, ids: data.map(({ id }) => id) }
}
