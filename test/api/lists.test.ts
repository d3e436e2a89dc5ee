// Tests the list of watches apart from its filters, with the sample: order, fields, facets and explanations.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
const watches = sample.watches.map((watch, at) => ({ id: at + 1, ...watch }))
type SampleWatch = (typeof watches)[number]

const server = serveSample()

describe('sort', () => {
  const byPrice =
    (field: 'retail_price_usd' | 'current_market_price', direction: 1 | -1) =>
    (one: SampleWatch, other: SampleWatch) => {
      const [a, b] = [one[field], other[field]]
      if (a === null || b === null) return Number(a === null) - Number(b === null) || one.id - other.id
      return direction * (a - b) || one.id - other.id
    }
  const byBrand = (direction: 1 | -1) => (one: SampleWatch, other: SampleWatch) => {
    const [a, b] = [one.brand.toLowerCase(), other.brand.toLowerCase()]
    return direction * (a < b ? -1 : a > b ? 1 : 0) || one.id - other.id
  }
  const byId = (one: SampleWatch, other: SampleWatch) => one.id - other.id

  test.each<[string, string, (one: SampleWatch, other: SampleWatch) => number]>([
    ['is by id by default', '', byId],
    ['by id ascends', 'sort=id', byId],
    ['by -id descends', 'sort=-id', (one, other) => other.id - one.id],
    ['by brand orders by name, then by id', 'sort=brand', byBrand(1)],
    ['by -brand orders by name descending, then by id ascending', 'sort=-brand', byBrand(-1)],
    ['by retail price puts unknown prices last', 'sort=retail_price_usd', byPrice('retail_price_usd', 1)],
    ['by -retail_price_usd puts them last too', 'sort=-retail_price_usd', byPrice('retail_price_usd', -1)],
    ['by market price ascends', 'sort=current_market_price', byPrice('current_market_price', 1)],
    ['by -current_market_price descends', 'sort=-current_market_price', byPrice('current_market_price', -1)],
    ['by time orders ties by id', 'sort=updated_at', byId],
    ['by descending time orders ties by id', 'sort=-updated_at', byId],
  ])('%s', async (_guarantee, query, compare) => {
    const ids: number[] = []
    for (let page = 1; ids.length < watches.length; page++) {
      const { data } = await ask(`${query}&per_page=100&page=${page}`)
      expect(data.length).toBeGreaterThan(0)
      ids.push(...data.map(({ id }) => id as number))
    }
    expect(ids).toEqual(watches.toSorted(compare).map(({ id }) => id))
  })

  test('orders filtered watches', async () => {
    const { data } = await ask('brand=rolex&sort=-retail_price_usd&per_page=100')
    const rolex = watches.filter(({ brand }) => brand === 'Rolex').toSorted(byPrice('retail_price_usd', -1))
    expect(data.map(({ id }) => id)).toEqual(rolex.map(({ id }) => id))
  })
})

describe('fields', () => {
  test('returns only these, in the order of a watch', async () => {
    const { data } = await ask('fields=specs.dial_color,brand,id&per_page=3')
    expect(JSON.stringify(data)).toBe(
      JSON.stringify(
        watches
          .slice(0, 3)
          .map(({ id, brand, specs }) => ({ id, brand, specs: { dial_color: specs.dial_color } })),
      ),
    )
  })

  test('returns only spec keys that a watch has, and all of them for specs', async () => {
    const [picked] = (await ask('fields=specs.__proto__,specs.nonsense,specs.jewels&ids=1')).data
    expect(JSON.stringify(picked)).toBe('{"specs":{"jewels":43}}')
    const [whole] = (await ask('fields=specs.jewels,specs&ids=1')).data
    expect(whole).toEqual({ specs: watches[0]?.specs })
  })
})

describe('facets', () => {
  test('count the values under the filters, most frequent first', async () => {
    const { facets } = await ask('facets=jewels,brand&spec[dial_color]=Black')
    const black = watches.filter(({ specs }) => /^black$/i.test(String(specs.dial_color)))
    expect(facets?.jewels).toEqual(counted(black.flatMap(({ specs }) => specs.jewels ?? [])))
    expect(facets?.brand).toEqual(counted(black.map(({ brand }) => brand)))
  })

  test('of a key ignore a filter on that key, and apply all others', async () => {
    const all = (await ask('facets=dial_color,case_shape')).facets
    const own = (await ask('facets=dial_color&spec[dial_color]=Blue')).facets
    expect(own?.dial_color).toEqual(all?.dial_color)
    const others = (await ask('facets=dial_color,case_shape&spec[dial_color]=Blue&spec[case_shape]=Cushion'))
      .facets
    expect(others?.dial_color).toEqual(
      (await ask('facets=dial_color&spec[case_shape]=Cushion')).facets?.dial_color,
    )
    expect(others?.case_shape).toEqual(
      (await ask('facets=case_shape&spec[dial_color]=Blue')).facets?.case_shape,
    )
    expect(others?.dial_color?.length).toBeLessThan(all?.dial_color?.length ?? 0)
  })

  test('have values that find as many watches as counted', async () => {
    const { facets } = await ask('facets=water_resistance,movement_type,crystal,functions&brand=seiko')
    for (const [key, values] of Object.entries(facets ?? {})) {
      expect(values.length).toBeGreaterThan(1)
      for (const { value, count } of values) {
        const { meta } = await ask(`brand=seiko&spec[${key}]=${encodeURIComponent(String(value))}`)
        expect([key, value, meta.total]).toEqual([key, value, count])
      }
    }
  })

  test('of a key that no watch has are empty', async () => {
    const { facets, meta } = await ask('facets=nonsense,__proto__')
    expect(JSON.stringify(facets)).toBe('{"nonsense":[],"__proto__":[]}')
    expect(meta.total).toBe(watches.length)
  })
})

describe('explain', () => {
  test('shows how each filter was parsed, and how many watches it finds by itself', async () => {
    const query =
      'spec[water_resistance]=330%20ft&spec[movement_type]=self-winding&brand=AP&spec[jewels][gt]=30.0'
    const { explain } = await ask(`${query}&explain=1`)
    const alone = await Promise.all(query.split('&').map(async (filter) => (await ask(filter)).meta.total))
    expect(explain).toEqual([
      {
        parameter: 'spec[water_resistance]',
        one_level: 'spec[water_resistance]',
        values: [{ written: '330 ft', read_as: '100 m', kind: 'quantity' }],
        total: alone[0],
      },
      {
        parameter: 'spec[movement_type]',
        one_level: 'spec[movement_type]',
        values: [{ written: 'self-winding', read_as: 'Automatic', kind: 'synonym' }],
        total: alone[1],
      },
      {
        parameter: 'brand',
        one_level: 'brand',
        values: [{ written: 'AP', read_as: 'Audemars Piguet', kind: 'brand' }],
        total: alone[2],
      },
      {
        parameter: 'spec[jewels][gt]',
        one_level: 'spec[jewels:gt]',
        values: [{ written: '30.0', read_as: '30', kind: 'number' }],
        total: alone[3],
      },
    ])
  })

  test.each(['', 'explain=0', 'explain=false'])('is absent by default: %s', async (query) => {
    expect(Object.keys(await ask(query))).toEqual(['data', 'meta'])
  })
})

/** Each value with its count, most frequent first, then in order of its characters. */
function counted(values: readonly unknown[]): object[] {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (String(one.value) < String(other.value) ? -1 : 1))
}

interface List {
  readonly data: Record<string, unknown>[]
  readonly meta: { readonly total: number }
  readonly facets?: Record<string, { value: unknown; count: number }[]>
  readonly explain?: object[]
}

async function ask(query: string): Promise<List> {
  const response = await server.get(`/api/v1/watches?${query}`)
  expect([query, response.status]).toEqual([query, 200])
  return (await response.json()) as List
}
