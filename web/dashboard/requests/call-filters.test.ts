import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterNames, filtersOf, logAddress } from './call-filters.ts'

test('the log without filters has a URL without a query', () =>
  expect(logAddress({ q: ' ', status: '' })).toBe('/dashboard/requests'))

test('unknown and empty parameters are ignored', () =>
  expect(filtersOf(new URLSearchParams('status=4xx&page=2&method='))).toEqual({ status: '4xx' }))

test('filters survive a round trip through the URL', () => {
  const text = fc.string({ minLength: 1 }).filter((value) => value === value.trim())
  const filters = fc.record(Object.fromEntries(filterNames.map((name) => [name, text])), { requiredKeys: [] })
  fc.assert(
    fc.property(filters, (wanted) => {
      const { searchParams } = new URL(logAddress(wanted), 'http://localhost')
      expect(filtersOf(searchParams)).toEqual(wanted)
    }),
  )
})
