import { expect, test } from 'vitest'
import { readSample } from '../../catalogue/sample.ts'
import { parseConfig } from '../../config.ts'
import { foldReference, foldText, foldWords } from '../../specs/fold.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { scalarsOf } from '../../specs/vocabulary.ts'
import { bracketsOf, findOperator, listParameters, operators } from './operators.ts'
import { parseWatchQuery } from './parse-query.ts'
import type { Filter, Operator, Subject } from './watch-query.ts'

const vocabulary = await readVocabulary(parseConfig({}))
const { watches } = await readSample()
type SampleWatch = (typeof watches)[number]

const operatorNames: readonly Operator[] = ['is', 'any', 'not', 'gt', 'gte', 'lt', 'lte', 'exists', 'exact']
const priceOperators: readonly Operator[] = ['is', 'gt', 'gte', 'lt', 'lte']
const allowed: Readonly<Record<Subject, readonly Operator[]>> = {
  spec: operatorNames,
  brand: ['is', 'any'],
  collection: ['is', 'any'],
  reference_number: ['is', 'any'],
  retail_price_usd: priceOperators,
  current_market_price: priceOperators,
}

test('every operator has one row, and no two rows share a syntax', () => {
  expect(operators.map(({ operator }) => operator)).toEqual(operatorNames)
  for (const column of ['suffix', 'written', 'meaning', 'example'] as const) {
    expect(new Set(operators.map((row) => row[column])).size).toBe(operators.length)
  }
})

test.each(Object.entries(allowed))('%s takes the operators %j', (subject, expected) => {
  const taken = operators.filter(({ subjects }) => subjects.includes(subject as Subject))
  expect(taken.map(({ operator }) => operator)).toEqual(expected)
  expect(bracketsOf(subject as Subject)).toHaveLength(expected.length - 1)
  for (const { operator, suffix } of operators) {
    const found = findOperator(subject as Subject, suffix === undefined ? [] : [suffix], 0)
    expect(found?.operator).toBe(expected.includes(operator) ? operator : undefined)
  }
})

test.each(operators)(
  '$example parses, uses $operator and finds a watch of the sample',
  ({ operator, example }) => {
    const { filters } = parseWatchQuery(example, vocabulary)
    expect(filters.map((filter) => filter.operator)).toEqual([operator])
    expect(watches.filter((watch) => filters.every((filter) => matches(watch, filter)))).not.toEqual([])
  },
)

test.each(listParameters)(
  '$example parses, uses $name and finds a watch of the sample',
  ({ name, example }) => {
    const { filters, words } = parseWatchQuery(example, vocabulary)
    expect(example).toMatch(new RegExp(`(^|&)${name}[=[]`))
    const found = watches.filter(
      (watch) => filters.every((filter) => matches(watch, filter)) && hasWords(watch, words),
    )
    expect(found).not.toEqual([])
  },
)

test.each(
  listParameters.flatMap(({ name, default: unasked }) => (unasked === undefined ? [] : [[name, unasked]])),
)('%s=%s is the default', (name, unasked) => {
  expect(parseWatchQuery(`${name}=${unasked}`, vocabulary)).toEqual(parseWatchQuery('', vocabulary))
})

test.each(listParameters.flatMap(({ name, choices = [] }) => choices.map((choice) => [name, choice])))(
  '%s=%s is a choice that the parser accepts',
  (name, choice) => {
    expect(() => parseWatchQuery(`${name}=${choice}`, vocabulary)).not.toThrow()
  },
)

/** The simplest implementation of the contract, independent of the faster one in the index. */
function matches(watch: SampleWatch, { subject, key, operator, values }: Filter): boolean {
  if (subject !== 'spec') return matchesField(watch[subject], subject, operator, values[0] ?? '')
  const stored = scalarsOf(watch.specs[key]).map((value) => vocabulary.read(key, value))
  if (operator === 'exists') return stored.length > 0 === (values[0] === 'true')
  const asked = values.map((value) => vocabulary.read(key, value))
  const isAsked = stored.some(({ term }) => asked.some((one) => one.term === term))
  if (operator === 'is' || operator === 'any') return isAsked
  if (operator === 'not') return stored.length > 0 && !isAsked
  if (operator === 'exact') return stored.some(({ exact }) => exact === asked[0]?.exact)
  return stored.some(({ number }) => compares(number, operator, asked[0]?.number))
}

function matchesField(stored: string | number | null, subject: Subject, operator: Operator, value: string) {
  if (stored === null) return false
  if (typeof stored === 'number') return compares(stored, operator, Number(value))
  const fold = subject === 'reference_number' ? foldReference : foldText
  return fold(stored) === fold(value)
}

function compares(stored = Number.NaN, operator: Operator, asked = Number.NaN): boolean {
  if (operator === 'gt') return stored > asked
  if (operator === 'gte') return stored >= asked
  if (operator === 'lt') return stored < asked
  if (operator === 'lte') return stored <= asked
  return stored === asked
}

function hasWords(watch: SampleWatch, words: readonly string[]): boolean {
  const { brand, collection, reference_number, specs } = watch
  const found = foldWords([brand, collection, reference_number, ...scalarsOf(Object.values(specs))].join(' '))
  return words.every((word, at) =>
    found.some((one) => (at === words.length - 1 ? one.startsWith(word) : one === word)),
  )
}
