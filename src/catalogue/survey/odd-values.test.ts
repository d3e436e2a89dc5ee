// Tests what is reported as wrong in specs, and what is not.
import { describe, expect, test } from 'vitest'
import { parseSynonyms } from '../../specs/synonyms.ts'
import { createVocabulary } from '../../specs/vocabulary.ts'
import { findLoneSpellings, findMixedTypes, findOddKeys, findUnreadable } from './odd-values.ts'
import { SpecSurvey } from './survey-specs.ts'

const vocabulary = createVocabulary(parseSynonyms('[dial_color]\ngray = grey\n', 'synonyms.txt'))

/** Surveys watches, given as documents and how often each occurs. */
function survey(...documents: [times: number, specs: object][]) {
  const specs = new SpecSurvey()
  let id = 0
  for (const [times, document] of documents) {
    for (let at = 0; at < times; at++) specs.add(++id, JSON.stringify(document))
  }
  return specs.keys
}

const lone = (key: string, ...values: [number, unknown][]) =>
  survey(...values.map(([times, value]): [number, object] => [times, { [key]: value }]))
    .flatMap((one) => findLoneSpellings(one, vocabulary))
    .map(({ value, near }) => [value, near?.value])

describe('a lone spelling', () => {
  test.each(['black', 'BLACK', ' Black.', 'Blakc', 'Blck', 'Blacck'])(
    '%j beside many Black is found',
    (value) => {
      expect(lone('dial_color', [20, 'Black'], [1, value])).toEqual([[value, 'Black']])
    },
  )

  test.each([
    ['White', 'another word'],
    ['Blue', 'a short word that is too different'],
  ])('%j is not a typo: %s', (value) => {
    expect(lone('dial_color', [20, 'Black'], [1, value])).toEqual([])
  })

  test('within a list is found with its watches', () => {
    const [key] = survey(
      [9, { functions: ['Hours', 'Chronograph'] }],
      [1, { functions: ['Hours', 'Chronogaph'] }],
    )
    expect(key && findLoneSpellings(key, vocabulary)).toEqual([
      {
        key: 'functions',
        value: 'Chronogaph',
        watches: 1,
        ids: [10],
        near: { value: 'Chronograph', watches: 9 },
      },
    ])
  })

  test('is not reported if the other is not much more frequent', () => {
    expect(lone('dial_color', [4, 'Black'], [1, 'black'])).toEqual([])
    expect(lone('dial_color', [9, 'Black'], [2, 'black'])).toEqual([])
    expect(lone('dial_color', [10, 'Black'], [3, 'black'])).toEqual([])
  })

  test('is not reported if both are synonyms', () => {
    expect(lone('dial_color', [20, 'Gray'], [1, 'Grey'])).toEqual([])
    expect(lone('strap_color', [20, 'Grays'], [1, 'Greys'])).toEqual([['Greys', 'Grays']])
  })

  test('is not a quantity, a number or a code with other digits', () => {
    expect(lone('water_resistance', [20, '30 m'], [1, '50 m'], [1, '30m'])).toEqual([])
    expect(lone('jewels', [20, 31], [1, 32], [1, '33'])).toEqual([])
    expect(lone('caliber', [20, 'ETA 2824-2'], [1, 'ETA 2834-2'])).toEqual([])
    expect(lone('caliber', [20, 'ETA 2824-2'], [1, 'Eta 2824.2'])).toEqual([['Eta 2824.2', 'ETA 2824-2']])
  })
})

describe('a quantity', () => {
  test('that cannot be parsed is found, with the nearest one that can', () => {
    const [key] = survey(
      [5, { water_resistance: '100 m' }],
      [1, { water_resistance: '100 mn' }],
      [2, { water_resistance: 'splash proof' }],
      [1, { water_resistance: true }],
      [1, { water_resistance: 50 }],
      [1, { water_resistance: '10 bar (100 m)' }],
    )
    expect(
      (key ? findUnreadable(key) : []).map(({ value, watches, near }) => [value, watches, near?.value]),
    ).toEqual([
      ['splash proof', 2, undefined],
      ['100 mn', 1, '100 m'],
      [true, 1, undefined],
    ])
  })

  test('is only expected of keys that have a unit', () => {
    expect(survey([1, { dial_color: 'splash proof' }]).flatMap(findUnreadable)).toEqual([])
  })
})

describe('types', () => {
  test('are mixed if a key has texts and numbers, or lists', () => {
    const keys = survey([3, { jewels: 31, dial: 'x' }], [1, { jewels: '31', dial: ['x'] }])
    expect(keys.flatMap(findMixedTypes)).toEqual([
      {
        key: 'dial',
        types: [
          { type: 'text', watches: 3, ids: [1, 2, 3] },
          { type: 'list', watches: 1, ids: [4] },
        ],
      },
      {
        key: 'jewels',
        types: [
          { type: 'number', watches: 3, ids: [1, 2, 3] },
          { type: 'text', watches: 1, ids: [4] },
        ],
      },
    ])
  })

  test('are not mixed if texts and numbers are both quantities, nor by null', () => {
    const keys = survey(
      [3, { case_diameter: 42 }],
      [1, { case_diameter: '42 mm' }],
      [1, { case_diameter: null }],
    )
    expect(keys.flatMap(findMixedTypes)).toEqual([])
  })
})

describe('a key of one watch', () => {
  test.each(['dail_color', 'Dial Color', 'dialcolor', 'dial_colour'])(
    '%j is reported as a typo of dial_color',
    (key) => {
      const keys = survey([9, { dial_color: 'Black', case_material: 'Steel' }], [1, { [key]: 'Black' }])
      expect(findOddKeys(keys)).toEqual([{ key, ids: [10], near: { key: 'dial_color', watches: 9 } }])
    },
  )

  test('is not reported if its name is different, or if two watches have it', () => {
    expect(findOddKeys(survey([9, { dial_color: 1 }], [1, { strap_color: 1 }]))).toEqual([])
    expect(findOddKeys(survey([9, { dial_color: 1 }], [2, { dail_color: 1 }]))).toEqual([])
  })
})

describe('a survey', () => {
  test('stores a limited number of values per key, and sets isCut beyond it', () => {
    const specs = new SpecSurvey()
    for (let id = 1; id <= 10_500; id++) specs.add(id, JSON.stringify({ serial: `n${id}`, color: 'Black' }))
    const [color, serial] = specs.keys
    expect(color).toMatchObject({ key: 'color', isCut: false, occurrence: { watches: 10_500 } })
    expect(serial).toMatchObject({ key: 'serial', isCut: true, occurrence: { watches: 10_500 } })
    expect(serial?.values.size).toBe(10_000)
  })

  test('does not store long texts', () => {
    const [key] = survey([1, { story: 'x'.repeat(200) }])
    expect([key?.values.size, key?.isCut]).toEqual([0, true])
  })

  test('counts a value once per watch, and keys of any name', () => {
    const specs = new SpecSurvey()
    specs.add(7, '{"__proto__":["a","a",["a"]],"constructor":{"x":1},"none":null}')
    expect(specs.keys.map(({ key, values }) => [key, [...values]])).toEqual([
      ['__proto__', [['a', { watches: 1, ids: [7] }]]],
      ['constructor', []],
    ])
  })
})
