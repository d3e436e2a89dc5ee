// Generates random query strings, mostly from what the catalogue contains, so that matches are common, and sometimes
// from what it does not. A query is derived from a row of random numbers, which shrinks to the simplest query.
import fc from 'fast-check'
import { Problem } from '../../src/errors.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import type { WatchQuery } from '../../src/search/query/watch-query.ts'
import type { Vocabulary } from '../../src/specs/vocabulary.ts'
import { knownKeys, knownValues } from './hostile-values.ts'
import { type Catalogue, type NaiveWatch, namesOf } from './naive-watches.ts'

export type Dice = readonly number[]

/** The values in the catalogue that a query can use. */
interface Pool {
  readonly pairs: readonly (readonly [key: string, value: string])[]
  readonly brands: readonly string[]
  readonly collections: readonly string[]
  readonly references: readonly string[]
  readonly ids: readonly number[]
  readonly texts: readonly string[]
}

const diceMax = 48
const sides = 1_000_000
export const dice: fc.Arbitrary<Dice> = fc.array(fc.nat(sides), {
  minLength: diceMax,
  maxLength: diceMax,
  size: 'max',
})

const operators = [
  '',
  '',
  '',
  '',
  '[]',
  '[not]',
  '[not][]',
  '[gt]',
  '[gte]',
  '[lt]',
  '[lte]',
  '[exists]',
  '[exact]',
]
const listed = ['brand', 'brand', 'brand[]', 'collection[]', 'reference_number[]']
const bounds = ['100', '42 mm', '10 bar', '0', '-5', '0.1', '39.5', '72', '1e+21', '7']
const sorts = ['id', 'brand', 'retail_price_usd', 'current_market_price', 'updated_at']
const fieldLists = [
  'id',
  'id,specs',
  'brand,specs.dial_color',
  'specs.__proto__,specs.12',
  'updated_at,specs.7,id',
]

export function poolOf({ brands }: Catalogue, watches: readonly NaiveWatch[]): Pool {
  const pairs = watches.flatMap(({ specs }) =>
    [...specs].flatMap(([key, values]) => values.map(({ scalar }) => [key, String(scalar)] as const)),
  )
  const collections = watches.map(({ row }) => row.collection)
  const references = watches.map(({ row }) => row.reference_number)
  const texts = [
    ...pairs.map(([, value]) => value),
    ...collections,
    ...references,
    ...brands.map(({ name }) => name),
  ]
  return {
    pairs,
    brands: brands.flatMap(namesOf),
    collections,
    references,
    ids: watches.map(({ row }) => row.id),
    texts,
  }
}

/** The parsed query, or undefined if the API would reject it. */
export function queryOf(dice: Dice, pool: Pool, vocabulary: Vocabulary): WatchQuery | undefined {
  try {
    return parseWatchQuery(writeQuery(dice, pool), vocabulary)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function writeQuery(dice: Dice, pool: Pool): string {
  let thrown = 0
  const roll = (count: number) => (dice[thrown++ % dice.length] as number) % count
  const isRare = (oneIn: number) => roll(oneIn) === oneIn - 1
  const pick = <T>(from: readonly T[], otherwise: T): T => from[roll(Math.max(1, from.length))] ?? otherwise
  const parameters: [name: string, value: string][] = []

  for (let left = roll(4); left > 0; left--) addFilter()
  if (isRare(8)) add('ids', Array.from({ length: 1 + roll(9) }, () => pick(pool.ids, 1) + roll(2)).join())
  if (isRare(5)) add('q', searched())
  if (roll(3) > 0) add('sort', `${isRare(2) ? '-' : ''}${pick(sorts, 'id')}`)
  add('per_page', String(1 + roll(100)))
  if (isRare(4) && parameters.every(([name]) => name !== 'sort')) {
    add('after', String(Math.max(0, pick(pool.ids, 1) - roll(2))))
  } else if (roll(3) > 0) add('page', String(1 + roll(4)))
  if (isRare(6)) add('fields', pick(fieldLists, 'id'))
  if (isRare(3)) add('facets', [...new Set(Array.from({ length: 1 + roll(3) }, facet))].join())
  return parameters.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')

  /** Only a list of alternatives may repeat a parameter. */
  function add(name: string, value: string): void {
    if (name.endsWith('[]') || parameters.every(([known]) => known !== name)) parameters.push([name, value])
  }

  function addFilter(): void {
    const kind = roll(10)
    if (kind === 6) add(pick(listed, 'brand'), respelled(spelled(pick(pool.brands, 'Omega'))))
    else if (kind === 7) add('collection', spelled(pick(pool.collections, 'x')))
    else if (kind === 8) add('reference_number', spelled(pick(pool.references, 'x')))
    else if (kind === 9) {
      const field = pick(['retail_price_usd', 'current_market_price'], '')
      add(
        `${field}${pick(['', '[gt]', '[gte]', '[lt]', '[lte]'], '')}`,
        pick(['100', '5000', '0', '7.5'], ''),
      )
    } else addSpec()
  }

  function addSpec(): void {
    const [ownKey, ownValue] = pick(pool.pairs, ['dial_color', 'Black'])
    const key = isRare(10) ? pick(knownKeys, 'x') : ownKey
    const operator = pick(operators, '')
    const value = () => spelled(isRare(6) ? String(pick(knownValues, 'x')) : ownValue)
    const name = `spec[${encodeURIComponent(key.toWellFormed())}]${operator}`
    if (operator === '[exists]') add(name, pick(['true', 'false'], 'true'))
    else if (/[gl]t/.test(operator)) add(name, isRare(2) ? pick(bounds, '0') : ownValue)
    else add(name, value())
    if (operator === '[]') for (let left = roll(4); left > 0; left--) add(name, otherValue(key))
  }

  function otherValue(key: string): string {
    const same = pool.pairs.filter(([other]) => other === key).map(([, value]) => value)
    return pick(same, 'x')
  }

  function spelled(text: string): string {
    return [text, text, text.toUpperCase(), ` ${text}`, text.toLowerCase()][roll(5)] as string
  }

  /** Sometimes with other punctuation and without accents. */
  function respelled(brand: string): string {
    if (!isRare(3)) return brand
    return brand
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[.\s-]+/g, pick(['-', ' ', '. '], ' '))
      .replace('&', pick(['and', 'und', '+', ''], ''))
  }

  function searched(): string {
    const texts = Array.from({ length: 1 + roll(2) }, () => pick(pool.texts, 'x'))
    const whole = texts.join(' ')
    return isRare(2) ? whole.slice(0, 1 + roll(Math.max(1, whole.length))) : whole
  }

  function facet(): string {
    const [key] = pick(pool.pairs, ['dial_color', ''])
    return pick([key, key, key, 'brand', 'collection', 'dial_color', `specs.${key}`, 'nothing'], key)
  }
}
