import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import { parsePaging, type QueryParameters } from './paging.ts'

function errorsOf(query: QueryParameters) {
  try {
    return parsePaging(query)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return (error as Problem).details.errors
  }
}

test('without parameters: the first page of 25', () => {
  expect(parsePaging({})).toEqual({ page: 1, perPage: 25 })
})

test('any page and any per_page from 1 to 100 are read as written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 100 }),
      (page, perPage) => {
        expect(parsePaging({ page: String(page), per_page: String(perPage) })).toEqual({ page, perPage })
      },
    ),
  )
})

test.each(['', ' 10', '1e1', '10.0', '0x10', '+1', '010', '１', 'ten'])(
  'per_page=%j is no integer',
  (written) => {
    expect(errorsOf({ per_page: written })).toEqual({ per_page: ['The per page must be an integer.'] })
  },
)

test.each(['0', '-1', '101', '99999999999999999999'])('per_page=%s is out of bounds', (written) => {
  expect(errorsOf({ per_page: written })).toEqual({ per_page: ['The per page must be between 1 and 100.'] })
})

test('a repeated parameter is refused, and all errors come at once', () => {
  expect(errorsOf({ page: ['1', '2'], per_page: '0' })).toEqual({
    page: ['The page must be given once.'],
    per_page: ['The per page must be between 1 and 100.'],
  })
})
