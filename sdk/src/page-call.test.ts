// Tests where a list goes on, with a link and without one.
import { expect, test } from 'vitest'
import { nextQuery } from './page-call.ts'

const page = (data: unknown[], current_page: number, total: number) => ({
  data,
  meta: { current_page, per_page: 2, total },
})
const link = (rel: string, query: string) => `<https://inside.example/other/watches?${query}>; rel="${rel}"`

test('of a link, only the query string is used: a proxy may have another address', () => {
  const header = [
    link('first', 'page=1'),
    link('next', 'spec[a]=%5B,%3E&page=2'),
    link('last', 'page=9'),
  ].join(', ')
  expect(nextQuery(page([1, 2], 1, 18), header, {})).toBe('spec[a]=%5B,%3E&page=2')
})

test('a link without a next page ends the list', () => {
  const header = [link('first', 'page=1'), link('last', 'page=9')].join(', ')
  expect(nextQuery(page([1, 2], 1, 99), header, {})).toBeUndefined()
})

test('without a link, pages are counted', () => {
  const query = { q: 'long', page: 1 }
  expect(nextQuery(page([1, 2], 1, 3), null, query)).toBe('q=long&page=2&per_page=2')
  expect(nextQuery(page([3], 2, 3), null, query)).toBeUndefined()
  expect(nextQuery(page([1, 2], 1, 2), null, query)).toBeUndefined()
})

test('without a link, a list by id goes on after its last row', () => {
  expect(nextQuery(page([{ id: 4 }, { id: 7 }], 1, 9), null, { after: 3 })).toBe('after=7&per_page=2')
  expect(nextQuery(page([{ id: 8 }], 1, 9), null, { after: 7 })).toBeUndefined()
  expect(() => nextQuery(page([{}, {}], 1, 9), null, { after: 3 })).toThrow('fields must have id')
})

test('an empty page ends the list, whatever the link says', () => {
  expect(nextQuery(page([], 1, 9), link('next', 'page=2'), {})).toBeUndefined()
})
