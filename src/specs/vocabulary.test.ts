import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../test/any-code-point.ts'
import { parseConfig } from '../config.ts'
import { readVocabulary } from './read-vocabulary.ts'
import { parseSynonyms } from './synonyms.ts'
import { quantityKeys } from './units.ts'
import { createVocabulary, scalarsOf } from './vocabulary.ts'

const vocabulary = await readVocabulary(parseConfig({}))
const term = (key: string, value: string | number | boolean) => vocabulary.read(key, value).term

const hostileKeys = ['__proto__', 'constructor', 'toString', 'x'.repeat(128), 'a\nb', '⌚', '\u202eשעון', '']
const key = fc.constantFrom(...quantityKeys, 'movement_type', 'dial_color', 'jewels', ...hostileKeys)
const unit = fc.constantFrom(
  '',
  ' m',
  ' ft',
  ' bar',
  ' hours',
  ' days',
  'mm',
  ' cm',
  ' Hz',
  ' vph',
  ' A/h',
  ' g',
)
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom('Automatic', 'self-winding', 'GRAY', 'Blue-gray', 'steel', '300 m / 1000 ft', '1e+21'),
  fc.tuple(fc.integer({ min: 0, max: 50_000 }), unit).map(([number, word]) => `${number}${word}`),
  fc.tuple(fc.integer({ min: 0, max: 50_000 }), unit).map(([number, word]) => `${number / 8}${word}`),
)

test('all spellings of 100 m are equal: 10 bar, 10 ATM, 330 ft', () => {
  const spellings = [100, '100', '100 m', '10 bar', '10 ATM', '330 ft', '100 m / 330 ft', ' 100  METRES ']
  for (const spelling of spellings) {
    expect(vocabulary.read('water_resistance', spelling)).toMatchObject({
      kind: 'quantity',
      term: 'q100 m',
      number: 100,
      shown: '100 m',
    })
  }
})

test('a value is read as quantity before number, number before synonym, synonym before text', () => {
  expect(vocabulary.read('case_diameter', '42.0')).toEqual({
    kind: 'quantity',
    term: 'q42 mm',
    exact: 'n42',
    number: 42,
    shown: '42 mm',
  })
  expect(vocabulary.read('jewels', ' 31.0 ')).toEqual({
    kind: 'number',
    term: 'n31',
    exact: 'n31',
    number: 31,
    shown: '31',
  })
  expect(vocabulary.read('movement_type', 'Self-winding')).toEqual({
    kind: 'synonym',
    term: 'sautomatic',
    exact: 'tself-winding',
    number: undefined,
    shown: 'Automatic',
  })
  expect(vocabulary.read('dial_color', ' SALMON ')).toEqual({
    kind: 'text',
    term: 'tsalmon',
    exact: 'tsalmon',
    number: undefined,
    shown: 'salmon',
  })
})

test('numbers are equal only if they are numerically equal', () => {
  expect(term('jewels', '42.0')).toBe(term('jewels', 42))
  expect(term('jewels', '-0')).toBe(term('jewels', 0))
  expect(term('jewels', -0)).toBe('n0')
  expect(term('jewels', '1e+21')).toBe(term('jewels', 1e21))
  expect(term('jewels', '9007199254740993')).not.toBe(term('jewels', '9007199254740992'))
  for (const text of ['1e3', '0x10', '1,000', 'Infinity', '007']) {
    expect(vocabulary.read('jewels', text).kind).toBe('text')
  }
})

test('a boolean compares as its text', () => {
  expect(term('limited_edition', true)).toBe(term('limited_edition', 'TRUE'))
  expect(vocabulary.read('limited_edition', false)).toMatchObject({ kind: 'text', term: 'tfalse' })
})

test('a negative value is not a quantity, but still a number', () => {
  expect(vocabulary.read('water_resistance', '-5')).toMatchObject({ kind: 'number', term: 'n-5', number: -5 })
  expect(vocabulary.read('water_resistance', '-5 m')).toMatchObject({ kind: 'text', number: undefined })
})

test('a value that the API returns means the same when it is sent back as text', () => {
  fc.assert(
    fc.property(key, value, (specKey, stored) => {
      const sent = typeof stored === 'string' ? stored : JSON.stringify(stored)
      expect(vocabulary.read(specKey, sent)).toEqual(vocabulary.read(specKey, stored))
      expect(term(specKey, String(stored))).toBe(term(specKey, stored))
    }),
    { numRuns: 10_000 },
  )
})

test('case and white space never change the meaning of a value', () => {
  fc.assert(
    fc.property(key, value, (specKey, stored) => {
      expect(term(specKey, `\t${stored} `)).toBe(term(specKey, stored))
      expect(term(specKey, String(stored).toUpperCase())).toBe(term(specKey, String(stored)))
    }),
    { numRuns: 5_000 },
  )
})

test('the preferred spelling and the shown text of a value have the same term as the value', () => {
  fc.assert(
    fc.property(key, value, (specKey, stored) => {
      const reading = vocabulary.read(specKey, stored)
      const spelled = vocabulary.spell(specKey, reading.term)
      expect(spelled === undefined).toBe(reading.kind === 'text')
      if (spelled !== undefined) expect(term(specKey, spelled)).toBe(reading.term)
      expect(term(specKey, reading.shown)).toBe(reading.term)
    }),
    { numRuns: 10_000 },
  )
  expect(vocabulary.read('power_reserve', '67.5 min').shown).toBe('1.1250 h')
})

test('values of equal exact readings have equal terms; texts and numbers are their own exact reading', () => {
  fc.assert(
    fc.property(key, value, value, (specKey, one, other) => {
      const [a, b] = [vocabulary.read(specKey, one), vocabulary.read(specKey, other)]
      if (a.exact === b.exact) expect(a.term).toBe(b.term)
      if (a.kind === 'text' || a.kind === 'number') expect(a.exact).toBe(a.term)
      expect(a.term[0]).toBe(a.kind[0])
      expect(a.number === undefined).toBe(a.kind === 'text' || a.kind === 'synonym')
    }),
    { numRuns: 5_000 },
  )
})

test('hostile keys are ordinary keys', () => {
  for (const hostile of hostileKeys) {
    expect(vocabulary.read(hostile, '100 m')).toMatchObject({ kind: 'text', term: 't100 m' })
    expect(vocabulary.read(hostile, 'constructor').term).toBe('tconstructor')
    expect(vocabulary.read(hostile, '__proto__').term).toBe('t__proto__')
  }
})

test('the digest changes with the synonyms', () => {
  const digestOf = (text: string) => createVocabulary(parseSynonyms(text, 'table.txt')).digest
  expect(digestOf('[*]\nA = B')).not.toBe(digestOf('[*]\nA = C'))
  expect(digestOf('[*]\nA = B')).toBe(digestOf('# why\n[*]\na = B'.replace('a', 'A')))
})

test('scalarsOf returns the comparable parts of a value, in order', () => {
  expect(scalarsOf(null)).toEqual([])
  expect(scalarsOf(undefined)).toEqual([])
  expect(scalarsOf('x')).toEqual(['x'])
  expect(scalarsOf(['a', [1, [true, null]], { b: [1, 'ä'] }, []])).toEqual(['a', 1, true, '{"b":[1,"ä"]}'])
  expect(scalarsOf(JSON.parse('{"__proto__":1,"toJSON":2}'))).toEqual(['{"__proto__":1,"toJSON":2}'])
})

test('hostile nesting does not overflow the stack', () => {
  const depth = 200_000
  expect(scalarsOf(JSON.parse(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`))).toEqual(['x'])
  expect(scalarsOf(JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`))).toEqual([])
  expect(scalarsOf(JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`))).toEqual([])
})
