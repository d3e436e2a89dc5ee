// Tests that the service reads exactly what a caller asked for, whatever the characters of keys and values.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { readVocabulary } from '../../src/specs/read-vocabulary.ts'
import { queryString } from './query-string.ts'
import type { SpecFilter, WatchQuery } from './watch-query.ts'

const vocabulary = await readVocabulary(parseConfig({}))

interface Read {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

const key = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'a][b',
    'a]',
    '[',
    'a&b=c',
    '100%',
    '⌚️',
    'a b+c',
    'toString',
    '#',
    'a:gte',
    'x:is',
    ':',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
)
const text = fc.oneof(
  fc.constantFrom('Black', '100 m', 'a,b', '&', '%41', '+', '1=2', '"', "'", '<>#?', '🕰️', '0'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((one) => !/^\s*[[{]/.test(one)),
)
const value = fc.oneof(text, fc.integer(), fc.boolean())
const quantity = fc.double({ min: 0.001, max: 1e9, noNaN: true })
const filter: fc.Arbitrary<SpecFilter> = fc.oneof(
  value,
  fc.array(value, { minLength: 1, maxLength: 3 }),
  fc
    .record(
      {
        gt: quantity,
        gte: quantity,
        lt: quantity,
        lte: quantity,
        not: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
        exact: text,
      },
      { requiredKeys: [] },
    )
    .filter((operators) => Object.keys(operators).length > 0),
  fc.record({ exists: fc.boolean() }),
)
const specs = fc
  .uniqueArray(fc.tuple(key, filter), { maxLength: 3, selector: ([name]) => name })
  .map((pairs) => Object.fromEntries(pairs))

function filtersOf(spec: Readonly<Record<string, SpecFilter>>): Read[] {
  return Object.entries(spec).flatMap(([key, filter]): Read[] => {
    if (Array.isArray(filter)) return [{ key, operator: 'any', values: filter.map(String) }]
    if (typeof filter !== 'object') return [{ key, operator: 'is', values: [String(filter)] }]
    return Object.entries(filter).map(([operator, one]) => ({
      key,
      operator,
      values: [one].flat().map(String),
    }))
  })
}

const parse = (query: WatchQuery) => parseWatchQuery(queryString(query), vocabulary, () => true)

describe('the query of a list', () => {
  test('has brands, collections and references as one value or several', () => {
    expect(parse({ brand: ['Rolex', 'A, B'], collection: 'C' }).filters).toEqual([
      { subject: 'brand', key: 'brand', operator: 'any', values: ['Rolex', 'A, B'] },
      { subject: 'collection', key: 'collection', operator: 'is', values: ['C'] },
    ])
  })

  test('has the filters that were asked for, with any key and any value', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const read = parse({ spec }).filters.map(({ key, operator, values }) => ({ key, operator, values }))
        expect(read).toEqual(filtersOf(spec))
      }),
      { numRuns: 300 },
    )
  })

  test('has the lists that were asked for, with any name of a spec', () => {
    const names = fc.uniqueArray(key, { minLength: 1, maxLength: 4 })
    const ids = fc.uniqueArray(fc.integer({ min: 1 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(names, ids, (facets, ids) => {
        const fields = facets.map((name) => `specs.${name}` as const)
        const read = parse({ facets, ids, fields })
        expect(read.facets).toEqual(facets)
        expect(read.ids).toEqual(ids)
        expect(read.fields).toEqual(fields.toSorted())
      }),
      { numRuns: 100 },
    )
  })

  test('has all other parameters', () => {
    const read = parse({
      brand: 'A. Lange & Söhne',
      retail_price_usd: { gte: 5_000, lt: 9_999.5 },
      current_market_price: 7,
      q: 'royal oak',
      sort: '-retail_price_usd',
      explain: true,
      strict: true,
      page: 2,
      per_page: 50,
    })
    expect(read.filters.map(({ subject, operator, values }) => [subject, operator, ...values])).toEqual([
      ['brand', 'is', 'A. Lange & Söhne'],
      ['retail_price_usd', 'gte', '5000'],
      ['retail_price_usd', 'lt', '9999.5'],
      ['current_market_price', 'is', '7'],
    ])
    expect(read).toMatchObject({
      words: ['royal', 'oak'],
      sort: { by: 'retail_price_usd', descending: true },
      explain: true,
      paging: { page: 2, perPage: 50 },
    })
    expect(parse({ after: 7 }).after).toBe(7)
  })

  test('is short where it can be', () => {
    const query = {
      spec: { dial_color: ['Black', 'Blue'], depth: { any: [1, 2] } },
      ids: [1, 2],
      explain: false,
    }
    expect(queryString(query)).toBe(
      'spec[dial_color][]=Black&spec[dial_color][]=Blue&spec[depth][]=1&spec[depth][]=2&ids=1,2&explain=0',
    )
    expect(queryString({ facets: ['a,b', 'c'] })).toBe('facets[]=a%2Cb&facets[]=c')
    expect(queryString({ brand: undefined, spec: { dial_color: undefined } })).toBe('')
  })

  test.each([
    [{ ids: [] }, 'ids must not be empty'],
    [{ spec: { dial_color: [] } }, 'spec.dial_color must not be empty'],
    [{ spec: { dial_color: {} } }, 'spec.dial_color must not be empty'],
    [{ spec: { dial_color: { gte: undefined } } }, 'spec.dial_color must not be empty'],
    [{ spec: { dial_color: null } }, 'spec.dial_color must be a text'],
    [{ spec: { dial_color: { gte: { m: 1 } } } }, 'spec.dial_color must be a text'],
    [{ spec: 'dial_color' }, 'spec must be an object'],
    [{ retail_price_usd: Number.NaN }, 'retail_price_usd must be a text, a number'],
    [{ q: '\ud800' }, 'q has half of a character'],
  ])('is refused rather than sent without a filter: %j', (query, message) => {
    expect(() => queryString(query)).toThrow(message)
    expect(() => queryString(query)).toThrow(TypeError)
  })
})
