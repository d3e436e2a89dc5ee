// Tests spec values as given on a command line.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { parseScalar, parseSpecValue, writeScalar } from './spec-value.ts'

describe('a value given as text', () => {
  test.each([
    ['Black', 'Black'],
    ['  Black ', 'Black'],
    ['42', 42],
    ['42.0', 42],
    ['-1.5', -1.5],
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e999', '1e999'],
    ['"42"', '42'],
    ['"a', '"a'],
    ['[1,"x"]', [1, 'x']],
    ['{"a":[]}', { a: [] }],
    ['[not json', '[not json'],
    ['100 m', '100 m'],
  ])('%j is %j', (written, value) => {
    expect(parseSpecValue(written)).toEqual(value)
  })

  test.each([
    '',
    '   ',
    '""',
    'null',
    'a\u0000b',
    'a\nb',
    '"\\u0007"',
    '\ud800',
    '['.repeat(33) + ']'.repeat(33),
    '[["\\u0000"]]',
    '{"a":{"\\u0000":1}}',
    '["\\ud800"]',
    '{"\\udc00":1}',
    '[9007199254740993]',
    '{"a":[-1e300]}',
    '[1e999]',
    '1e+21',
  ])('%j is refused with a sentence', (written) => {
    expect(() => parseSpecValue(written)).toThrow(Failure)
    expect(() => parseSpecValue(written)).toThrow(/\.$/)
  })

  test('may have any number that is stored exactly, and long digits as a text', () => {
    expect(parseSpecValue('[9007199254740991,0.1,1e-7,"9007199254740993"]')).toEqual([
      9007199254740991,
      0.1,
      1e-7,
      '9007199254740993',
    ])
    expect(() => parseSpecValue('[9007199254740993]')).toThrow(/too large to be kept exactly/)
  })

  test('that replaces others gets no advice to use --unset', () => {
    expect(() => parseScalar('')).toThrow('A spec value must not be empty: say what is to be stored.')
    expect(() => parseScalar('null')).toThrow('A spec value cannot be null: say what is to be stored.')
  })

  test.each(['[1]', '{}'])('%s is not a single value', (written) => {
    expect(() => parseScalar(written)).toThrow(/list or an object/)
  })

  test.each(['Black', '42', 'true', '"x"', '[1]', '007', 42, true])('%j is read back as itself', (value) => {
    expect(parseScalar(writeScalar(value))).toBe(value)
  })
})
