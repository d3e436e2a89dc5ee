// Tests the spec filters of GET /watches with the sample: each finds exactly what a naive scan of the sample finds.
import { describe, expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { serveSample } from './sample-server.ts'

const sample = await readSample()
type Watch = (typeof sample.watches)[number]

const server = serveSample()

const none = () => false
const lower = (value: unknown) => String(value).toLowerCase()
const has = (key: string) => (watch: Watch) => watch.specs[key] !== undefined
const is =
  (key: string, ...spellings: string[]) =>
  ({ specs }: Watch) =>
    spellings.includes(lower(specs[key]))

describe('spec[k]=v', () => {
  test.each<[string, string, (watch: Watch) => boolean]>([
    ['finds the whole value', 'spec[dial_color]=Black', is('dial_color', 'black')],
    ['ignores case', 'spec[dial_color]=bLACK', is('dial_color', 'black')],
    [
      'ignores extra space around and within',
      'spec[dial_color]=%20Navy%20%20blue%09',
      is('dial_color', 'navy blue', 'navy'),
    ],
    ['reads a plus as a space', 'spec[dial_color]=Ice+blue', is('dial_color', 'ice blue')],
    ['ignores the Unicode form', 'spec[dial_color]=%EF%BC%A2lack', is('dial_color', 'black')],
    [
      'reads accents composed and decomposed alike',
      `spec[designer]=${encodeURIComponent('Gérald Genta'.normalize('NFD'))}`,
      is('designer', 'gérald genta'),
    ],
    ['does not find parts of a value', 'spec[dial_color]=Navy%20blu', none],
    ['treats a number as equal with decimals', 'spec[jewels]=31.0', ({ specs }) => specs.jewels === 31],
    [
      'finds an array by any of its elements',
      'spec[functions]=gmt',
      ({ specs }) => [specs.functions].flat().some((one) => lower(one) === 'gmt'),
    ],
    ['finds true', 'spec[limited_edition]=TRUE', ({ specs }) => specs.limited_edition === true],
    ['finds false', 'spec[limited_edition]=false', ({ specs }) => specs.limited_edition === false],
    ['does not treat absent as null', 'spec[limited_edition]=null', none],
    ['reads brackets that are encoded', 'spec%5Bdial_color%5D=Green', is('dial_color', 'green')],
    [
      'combines keys with AND',
      'spec[dial_color]=Blue&spec[case_shape]=Cushion',
      (watch) => is('dial_color', 'blue')(watch) && is('case_shape', 'cushion', 'cushion-shaped')(watch),
    ],
    [
      'applies synonyms of the trade',
      'spec[movement_type]=self-winding',
      is('movement_type', 'automatic', 'self-winding'),
    ],
    ['equates American and British', 'spec[dial_color]=gray', is('dial_color', 'grey', 'gray')],
    [
      'treats sapphire crystal and sapphire as equal',
      'spec[crystal]=Sapphire',
      is('crystal', 'sapphire', 'sapphire crystal'),
    ],
    ['of a key that no watch has finds none', 'spec[dail_color]=Black', none],
    ['treats __proto__ like any other key', 'spec[__proto__]=x', none],
    ['treats constructor like any other key', 'spec[constructor]=x&spec[toString][exists]=true', none],
  ])('%s', (_guarantee, query, isMeant) => expectToFind(query, isMeant))
})

describe('an operator', () => {
  test.each<[string, string, (watch: Watch) => boolean]>([
    [
      '[] finds any of the values',
      'spec[dial_color][]=Black&spec[dial_color][]=blue',
      is('dial_color', 'black', 'blue'),
    ],
    ['[] with one value finds that one', 'spec[dial_color][]=Orange', is('dial_color', 'orange')],
    [
      '[not] finds watches that have the key with another value',
      'spec[dial_color][not]=Black',
      (watch) => has('dial_color')(watch) && !is('dial_color', 'black')(watch),
    ],
    [
      '[not] excludes an array that has the value',
      'spec[functions][not]=Date',
      ({ specs }) => specs.functions !== undefined && ![specs.functions].flat().includes('Date'),
    ],
    ['[exists]=true requires the key', 'spec[limited_edition][exists]=true', has('limited_edition')],
    [
      '[exists]=false requires its absence',
      'spec[water_resistance][exists]=false',
      (watch) => !has('water_resistance')(watch),
    ],
    ['[exists]=false of an unknown key finds all', 'spec[nonsense][exists]=false', () => true],
    [
      '[exact] compares the text without synonyms',
      'spec[movement_type][exact]=hand-wound',
      is('movement_type', 'hand-wound'),
    ],
    [
      '[exact] compares the text without unit conversion',
      'spec[water_resistance][exact]=10%20bar',
      is('water_resistance', '10 bar'),
    ],
    ['[gt] finds what is greater', 'spec[jewels][gt]=31', ({ specs }) => Number(specs.jewels) > 31],
    [
      '[gte] finds what is equal or greater',
      'spec[jewels][gte]=31',
      ({ specs }) => Number(specs.jewels) >= 31,
    ],
    ['[lt] finds what is less', 'spec[jewels][lt]=31', ({ specs }) => Number(specs.jewels) < 31],
    ['[lte] finds what is equal or less', 'spec[jewels][lte]=31', ({ specs }) => Number(specs.jewels) <= 31],
    [
      'combines with another to a range',
      'spec[year_introduced][gte]=2010&spec[year_introduced][lt]=2018',
      ({ specs }) => Number(specs.year_introduced) >= 2010 && Number(specs.year_introduced) < 2018,
    ],
  ])('%s', (_guarantee, query, isMeant) => expectToFind(query, isMeant))
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
