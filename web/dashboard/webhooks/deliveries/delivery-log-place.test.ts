import { describe, expect, test } from 'vitest'
import { logQuery, pagesOf, parseLogPlace } from './delivery-log-place.ts'

function read(query: string) {
  return parseLogPlace(new URLSearchParams(query))
}

describe('the URL of the log', () => {
  test.each(['', '?status=failed', '?status=waiting&type=webhook.test&page=3', '?page=2'])(
    'with the query %s keeps it unchanged',
    (query) => {
      expect(logQuery(read(query))).toBe(query)
    },
  )

  test.each([
    'status=lost',
    'type=watch.sold',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=1e99',
    'edit',
  ])('with %s shows the first page without filters', (query) => {
    expect(read(query)).toEqual({ status: '', type: '', page: 1 })
  })

  test('has at least one page', () => {
    expect([0, 1, 25, 26].map(pagesOf)).toEqual([1, 1, 1, 2])
  })
})
