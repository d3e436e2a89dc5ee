import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { parsePaging } from './paging.ts'

function errorsOf(written: string) {
  try {
    return parsePaging(written)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return (error as Problem).details.errors
  }
}

test('without parameters: the first page of 25', () => {
  expect(parsePaging('')).toEqual({ page: 1, perPage: 25 })
})

test('any page and any per_page from 1 to 100 are parsed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 100 }),
      (page, perPage) => {
        expect(parsePaging(`page=${page}&per_page=${perPage}`)).toEqual({ page, perPage })
      },
    ),
  )
})

test.each([
  '',
  ' 10',
  '+10',
  '%2010',
  '10%20',
  '1e1',
  '10.0',
  '0x10',
  '0b1',
  '1_0',
  '1,0',
  '%2B1',
  '010',
  '--1',
  '-',
  '１',
  '%EF%BC%91',
  '%D9%A1',
  '1%00',
  '1%0A',
  'NaN',
  'Infinity',
  'null',
  'ten',
])('%j is not an integer, neither for per_page nor for page', (written) => {
  expect(errorsOf(`per_page=${written}`)).toEqual({ per_page: ['The per page must be an integer.'] })
  expect(errorsOf(`page=${written}`)).toEqual({ page: ['The page must be an integer.'] })
})

test.each(['0', '-0', '-1', '101', '99999999999999999999', '9'.repeat(400)])(
  'per_page=%s is out of bounds',
  (written) => {
    expect(errorsOf(`per_page=${written}`)).toEqual({ per_page: ['The per page must be between 1 and 100.'] })
  },
)

test.each(['0', '-1', '1000000001'])('page=%s is out of bounds', (written) => {
  expect(errorsOf(`page=${written}`)).toEqual({ page: ['The page must be between 1 and 1000000000.'] })
})

test('a repeated parameter is refused, and all errors are reported together', () => {
  expect(errorsOf('page=1&per_page=0&page=2&page=3')).toEqual({
    page: ['The page must be given once.'],
    per_page: ['The per page must be between 1 and 100.'],
  })
})

test.each(['page[]=1', 'page[0]=1', 'page%5B%5D=1', 'page[=1', 'page]=1', 'page[a][b]=1'])(
  '%s: brackets are refused',
  (written) => {
    expect(errorsOf(written)).toEqual({ page: ['The page must be written without brackets.'] })
  },
)

test('other parameters are ignored, whatever their shape', () => {
  expect(parsePaging('q=&spec=1&foo[bar]=1&foo[=1&]=&=&&__proto__=1&page=2')).toEqual({
    page: 2,
    perPage: 25,
  })
})

test('a parameter that cannot be decoded is refused under any name, `__proto__` included', () => {
  const errors = errorsOf('__proto__=%FF&page=%ZZ')
  expect(JSON.parse(JSON.stringify({ errors }))).toEqual({
    errors: JSON.parse(`{
      "__proto__": ["The   proto   must be valid percent-encoded UTF-8."],
      "page": ["The page must be valid percent-encoded UTF-8."]
    }`),
  })
  expect(JSON.stringify(errors)).toContain('"__proto__":[')
})
