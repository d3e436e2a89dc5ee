import { describe, expect, test } from 'vitest'
import type { BrandRow } from '../../catalogue/brands.ts'
import { parseConfig } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { compileFilters, filterCompiler, type MatchedWatch, parseFilter } from './watch-matcher.ts'

const vocabulary = await readVocabulary(parseConfig({}))

function brand(id: number, name: string, aliases: readonly string[] = []): BrandRow {
  const slug = name.toLowerCase()
  const rest = { country: null, founded_year: null, website: null, updated_at: '' }
  return { id, name, slug, aliases: JSON.stringify(aliases), ...rest }
}

const brands = [brand(1, 'Rolex', ['Crown']), brand(2, 'OMEGA', ['Big O']), brand(3, 'Tudor', ['Big O'])]

const watch: MatchedWatch = {
  id: 7,
  brand: 'Rolex',
  collection: 'Submariner',
  reference_number: '126.610-LN',
  retail_price_usd: 9_100,
  current_market_price: null,
  specs: JSON.parse('{"dial_color":["Black","Gold"],"water_resistance":"300 m","__proto__":"x","none":null}'),
}

function errorsOf(written: string): readonly string[] {
  try {
    parseFilter(written, vocabulary)
  } catch (error) {
    if (error instanceof Problem) {
      expect(Object.keys(error.details.errors ?? {})).toEqual(['filter'])
      return error.details.errors?.filter ?? []
    }
    throw error
  }
  return []
}

describe('a filter', () => {
  test('is a query string of the list, with or without its ?', () => {
    const filter = parseFilter('brand=Rolex&spec[dial_color][]=blue&ids=2,1&q=diver+300', vocabulary)
    expect(
      parseFilter('?brand=Rolex&&spec%5Bdial_color%5D%5B%5D=blue&ids=2,1&q=diver%20300&', vocabulary),
    ).toEqual(filter)
    expect(filter).toEqual({
      filters: [
        { subject: 'brand', key: 'brand', operator: 'is', values: ['Rolex'] },
        { subject: 'spec', key: 'dial_color', operator: 'any', values: ['blue'] },
      ],
      ids: [2, 1],
      words: ['diver', '300'],
    })
  })

  const known = 'spec, brand, collection, reference_number, retail_price_usd, current_market_price, ids or q'
  test.each([
    ['', ['The filter must have a parameter, such as brand=Rolex.']],
    ['?', ['The filter must have a parameter, such as brand=Rolex.']],
    ['&&', ['The filter must have a parameter, such as brand=Rolex.']],
    ['band=Rolex', [`The filter parameter band is not known: it may be ${known}.`]],
    ['??brand=Rolex', [`The filter parameter ?brand is not known: it may be ${known}.`]],
    ['__proto__=1&brand=x', [`The filter parameter __proto__ is not known: it may be ${known}.`]],
    ['specs[a][b]=1', [`The filter parameter specs is not known: it may be ${known}.`]],
    ['brand=Rolex&sort=brand', ['The filter parameter sort does not narrow watches.']],
    [
      'per_page=0&page=x',
      [
        'The filter parameter per_page does not narrow watches.',
        'The filter parameter page does not narrow watches.',
      ],
    ],
    [
      'fields=id&facets=x&explain=1',
      [
        'The filter parameter fields does not narrow watches.',
        'The filter parameter facets does not narrow watches.',
        'The filter parameter explain does not narrow watches.',
      ],
    ],
    [
      'brand=&spec[case_diameter][gt]=big',
      [
        'The brand field is required.',
        'The spec.case diameter must be a number or a quantity such as 10 mm.',
      ],
    ],
    [
      'brand=a&brand=a',
      ['The brand must be given once; for one of several values, write brand[]=a&brand[]=b.'],
    ],
    [
      'sort=id&ids=x',
      [
        'The filter parameter sort does not narrow watches.',
        'The ids must be positive integers separated by commas.',
      ],
    ],
    ['brand=%ff', ['The brand must be valid percent-encoded UTF-8.']],
    ['%ff=1', ['The query must be valid percent-encoded UTF-8.']],
    ['brand=\ud800', ['The brand must be valid percent-encoded UTF-8.']],
    ['brand=a\u0000', ['The filter must not contain control characters.']],
    [`q=${'a'.repeat(2_047)}`, ['The filter may not be greater than 2048 characters.']],
  ])('%j is refused: %j', (written, errors) => {
    expect(errorsOf(written)).toEqual(errors)
  })

  test('may have 2048 characters, an emoji counting as one', () => {
    const spec = (key: number, value: string) => `spec[${'k'.repeat(120)}${key}]=${value}`
    const longest = ['0', '1', '2'].map((_, at) => spec(at, '😀'.repeat(512))).join('&')
    expect(errorsOf(`${longest}&q=${'a'.repeat(2_048 - [...longest].length - 3)}`)).toEqual([])
    expect(errorsOf(`${longest}&q=${'a'.repeat(2_048 - [...longest].length - 2)}`)).toHaveLength(1)
  })

  test('with hundreds of errors is refused with twenty of them', () => {
    expect(errorsOf(Array.from({ length: 300 }, (_, at) => `${at}=`).join('&'))).toHaveLength(20)
  })
})

describe('a watch', () => {
  const match = (filters: readonly string[], changes: Partial<MatchedWatch> = {}) => [
    ...compileFilters(filters, vocabulary, brands)({ ...watch, ...changes }),
  ]

  test('matches the filters by which the list finds it', () => {
    const matching = [
      'brand=rolex',
      'brand=crown&collection=SUBMARINER',
      'reference_number=126610ln',
      'ids=9,7',
      'spec[dial_color]=gold',
      'spec[dial_color][]=blue&spec[dial_color][]=black',
      'spec[dial_color][not]=blue',
      'spec[water_resistance]=30 bar',
      'spec[water_resistance][gte]=990 ft&retail_price_usd[lt]=9100.5',
      'spec[__proto__]=x',
      'spec[none][exists]=false',
      'q=rolex subm',
      'q=126610',
      'q=610 300',
    ]
    const others = [
      'brand=Tudor',
      'brand=rolex&ids=8',
      'reference_number=126610',
      'spec[dial_color][not]=gold',
      'spec[dial_color]=blue&brand=rolex',
      'spec[water_resistance][exact]=30 bar',
      'spec[none][exists]=true',
      'spec[toString][exists]=true',
      'current_market_price[gte]=0',
      'q=role subm',
    ]
    expect(match([...others, ...matching]).toSorted()).toEqual(matching.toSorted())
  })

  test('belongs to the brand that currently has its brand name', () => {
    const filters = ['brand=Rolex', 'brand=omega', 'brand=Tudor', 'brand=Big O', 'q=omega', 'q=big']
    expect(match(filters, { brand: 'OMEGA' })).toEqual(
      ['brand=omega', 'brand=Big O', 'q=omega'].toSorted(by(filters)),
    )
    // The name is only an alias, of two brands: it may mean either.
    expect(match(filters, { brand: 'Big O' }).toSorted(by(filters))).toEqual([
      'brand=omega',
      'brand=Tudor',
      'brand=Big O',
      'q=big',
    ])
  })

  test('with a brand name that no brand has any more is found by that name', () => {
    expect(match(['brand=ÉTERNA', 'brand=Rolex'], { brand: 'Éterna ' })).toEqual(['brand=ÉTERNA'])
  })

  test('matches no filter that cannot be parsed, and those are reported to the caller', () => {
    const unreadable: string[] = []
    const filters = ['brand=Rolex', 'brand[gt]=Rolex', 'band=Rolex', '']
    const compiled = compileFilters(filters, vocabulary, brands, (filter) => unreadable.push(filter))
    expect(compiled(watch)).toEqual(new Set(['brand=Rolex']))
    expect(unreadable).toEqual(filters.slice(1))
  })

  test('is matched with the filters compiled before, until they or the brands change', () => {
    const compile = filterCompiler(vocabulary)
    const first = compile(['brand=crown', 'ids=7'], brands)
    const later = brands.map((row) => ({ ...row, updated_at: 'later', country: 'CH' }))
    expect(compile(['ids=7', 'brand=crown', 'ids=7'], later)).toBe(first)
    expect(compile(['ids=8', 'brand=crown'], brands)(watch)).toEqual(new Set(['brand=crown']))
    expect(compile(['ids=8', 'brand=crown'], [brand(1, 'Rolex')])(watch)).toEqual(new Set())
    expect(compile([], [])(watch)).toEqual(new Set())
  })
})

/** Compares by the position in `filters`. */
function by(filters: readonly string[]) {
  return (one: string, other: string) => filters.indexOf(one) - filters.indexOf(other)
}
