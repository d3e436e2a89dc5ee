// Reads the judged queries: what people type, and the watches of the sample that they may mean.
import { readFile } from 'node:fs/promises'
import path from 'node:path'

export interface SampleWatch {
  readonly id: number
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly specs: Readonly<Record<string, unknown>>
}

export interface JudgedQuery {
  readonly q: string
  readonly kind: string
  readonly isRight: (watch: SampleWatch) => boolean
}

interface Line {
  readonly q: string
  readonly kind: string
  /** `Brand/reference`, `Brand/*`, `Brand/* /Collection` with a `*` at its end for a beginning, each with `{conditions}`. */
  readonly right: readonly string[]
}

const withConditions = /^([^{]*)(?:\{(.*)\})?$/
const condition = /^([a-z_]+)(>=|<=|[=~<>])(.*)$/

export async function readJudgedQueries(): Promise<JudgedQuery[]> {
  const text = await readFile(path.join(import.meta.dirname, 'queries.ndjson'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { q, kind, right } = JSON.parse(line) as Line
      const tests = right.map(parsePattern)
      return { q, kind, isRight: (watch) => tests.some((test) => test(watch)) }
    })
}

function parsePattern(pattern: string): (watch: SampleWatch) => boolean {
  const [, names = '', conditions = ''] = withConditions.exec(pattern) ?? []
  const isNamed = parseNames(names)
  const tests = conditions === '' ? [] : conditions.split(';').map(parseCondition)
  return (watch) => isNamed(watch) && tests.every((test) => test(watch))
}

function parseNames(names: string): (watch: SampleWatch) => boolean {
  const at = names.indexOf('/')
  const [brand, rest] = at === -1 ? [names, '*'] : [names.slice(0, at), names.slice(at + 1)]
  const isBrand = (watch: SampleWatch) => brand === '*' || watch.brand === brand
  if (rest === '*') return isBrand
  if (!rest.startsWith('*/')) return (watch) => isBrand(watch) && watch.reference_number === rest
  const collection = rest.slice(2)
  return collection.endsWith('*')
    ? (watch) => isBrand(watch) && watch.collection.startsWith(collection.slice(0, -1))
    : (watch) => isBrand(watch) && watch.collection === collection
}

function parseCondition(text: string): (watch: SampleWatch) => boolean {
  const [, key = '', operator = '', value = ''] = condition.exec(text) ?? []
  if (key === '') throw new Error(`The condition ${text} cannot be read.`)
  const measure = measures[key]
  if (measure !== undefined) return (watch) => compare(measure(watch), operator, Number(value))
  const wanted = value.toLowerCase().split('|')
  return ({ specs }) => {
    const stored = [specs[key] ?? []].flat().map((one) => String(one).toLowerCase())
    return stored.some((one) => wanted.some((each) => (operator === '~' ? one.includes(each) : one === each)))
  }
}

const measures: Readonly<Record<string, (watch: SampleWatch) => number>> = {
  price: ({ current_market_price, retail_price_usd }) =>
    current_market_price ?? retail_price_usd ?? Number.NaN,
  diameter: ({ specs }) => lengthOf(specs.case_diameter, { mm: 1, cm: 10 }, 'mm'),
  water: ({ specs }) => lengthOf(specs.water_resistance, { m: 1, bar: 10, atm: 10, ft: 1 / 3.3 }, 'm'),
}

/** The first number with its unit. */
function lengthOf(value: unknown, units: Readonly<Record<string, number>>, own: string): number {
  const [, number = 'NaN', unit = own] = /([\d.,]+) *([a-z]*)/i.exec(String(value)) ?? []
  const factor = units[unit.toLowerCase()] ?? units[unit.toLowerCase().replace(/et.*$/, '')] ?? 1
  return Number(number.replace(',', '')) * factor
}

function compare(number: number, operator: string, bound: number): boolean {
  if (operator === '<') return number < bound
  if (operator === '>') return number > bound
  if (operator === '>=') return number >= bound
  if (operator === '<=') return number <= bound
  return number === bound
}
