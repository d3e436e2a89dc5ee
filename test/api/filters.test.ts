// The spec filters of GET /watches over the sample: each finds exactly what a plain look through the sample finds.
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
    ['does not mind the case', 'spec[dial_color]=bLACK', is('dial_color', 'black')],
    [
      'does not mind space around and within',
      'spec[dial_color]=%20Navy%20%20blue%09',
      is('dial_color', 'navy blue', 'navy'),
    ],
    ['takes a plus for a space', 'spec[dial_color]=Ice+blue', is('dial_color', 'ice blue')],
    ['does not mind the Unicode form', 'spec[dial_color]=%EF%BC%A2lack', is('dial_color', 'black')],
    [
      'reads accents composed and decomposed alike',
      `spec[designer]=${encodeURIComponent('Gérald Genta'.normalize('NFD'))}`,
      is('designer', 'gérald genta'),
    ],
    ['does not find parts of a value', 'spec[dial_color]=Navy%20blu', none],
    ['holds a number equal to its decimals', 'spec[jewels]=31.0', ({ specs }) => specs.jewels === 31],
    [
      'finds an array by any of its elements',
      'spec[functions]=gmt',
      ({ specs }) => [specs.functions].flat().some((one) => lower(one) === 'gmt'),
    ],
    ['finds true', 'spec[limited_edition]=TRUE', ({ specs }) => specs.limited_edition === true],
    ['finds false', 'spec[limited_edition]=false', ({ specs }) => specs.limited_edition === false],
    ['does not take what is absent for null', 'spec[limited_edition]=null', none],
    ['reads brackets that are encoded', 'spec%5Bdial_color%5D=Green', is('dial_color', 'green')],
    [
      'narrows by every key',
      'spec[dial_color]=Blue&spec[case_shape]=Cushion',
      (watch) => is('dial_color', 'blue')(watch) && is('case_shape', 'cushion', 'cushion-shaped')(watch),
    ],
    [
      'reads what the trade says for the same',
      'spec[movement_type]=self-winding',
      is('movement_type', 'automatic', 'self-winding'),
    ],
    ['reads American for British', 'spec[dial_color]=gray', is('dial_color', 'grey', 'gray')],
    [
      'reads sapphire crystal for sapphire',
      'spec[crystal]=Sapphire',
      is('crystal', 'sapphire', 'sapphire crystal'),
    ],
    ['of a key that no watch has finds none', 'spec[dail_color]=Black', none],
    ['takes __proto__ for a key like any other', 'spec[__proto__]=x', none],
    ['takes constructor for a key like any other', 'spec[constructor]=x&spec[toString][exists]=true', none],
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
      '[not] finds who has the key with another value',
      'spec[dial_color][not]=Black',
      (watch) => has('dial_color')(watch) && !is('dial_color', 'black')(watch),
    ],
    [
      '[not] passes over an array that has the value',
      'spec[functions][not]=Date',
      ({ specs }) => specs.functions !== undefined && ![specs.functions].flat().includes('Date'),
    ],
    ['[exists]=true finds who has the key', 'spec[limited_edition][exists]=true', has('limited_edition')],
    [
      '[exists]=false finds who has it not',
      'spec[water_resistance][exists]=false',
      (watch) => !has('water_resistance')(watch),
    ],
    ['[exists]=false of an unknown key finds all', 'spec[nonsense][exists]=false', () => true],
    [
      '[exact] leaves synonyms aside',
      'spec[movement_type][exact]=hand-wound',
      is('movement_type', 'hand-wound'),
    ],
    [
      '[exact] leaves units aside',
      'spec[water_resistance][exact]=10%20bar',
      is('water_resistance', '10 bar'),
    ],
    ['[gt] finds what is greater', 'spec[jewels][gt]=31', ({ specs }) => Number(specs.jewels) > 31],
    [
      '[gte] finds that and what is greater',
      'spec[jewels][gte]=31',
      ({ specs }) => Number(specs.jewels) >= 31,
    ],
    ['[lt] finds what is less', 'spec[jewels][lt]=31', ({ specs }) => Number(specs.jewels) < 31],
    ['[lte] finds that and what is less', 'spec[jewels][lte]=31', ({ specs }) => Number(specs.jewels) <= 31],
    [
      'and another make a range',
      'spec[year_introduced][gte]=2010&spec[year_introduced][lt]=2018',
      ({ specs }) => Number(specs.year_introduced) >= 2010 && Number(specs.year_introduced) < 2018,
    ],
  ])('%s', (_guarantee, query, isMeant) => expectToFind(query, isMeant))
})

async function expectToFind(query: string, isMeant: (watch: Watch) => boolean): Promise<void> {
  const ids = sample.watches.flatMap((watch, at) => (isMeant(watch) ? [at + 1] : []))
  expect(await find(query)).toEqual({ total: ids.length, ids: ids.slice(0, 100) })
  // An example that finds nothing shows nothing, unless that is what it says.
  if (isMeant !== none) expect(ids.length).toBeGreaterThan(0)
}

async function find(query: string): Promise<{ total: number; ids: number[] }> {
  const response = await server.get(`/api/v1/watches?${query}&per_page=100`)
  const { data, meta } = (await response.json()) as { data: { id: number }[]; meta: { total: number } }
  return { total: meta.total, ids: data.map(({ id }) => id) }
}
