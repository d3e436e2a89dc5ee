import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterNames, filtersOf, logAddress } from './call-filters.ts'

test('the log without filters has the plain address', () =>
  expect(logAddress({ q: ' ', status: '' })).toBe('/dashboard/requests'))

test('what is no filter of the log is left out', () =>
  expect(filtersOf(new URLSearchParams('status=4xx&page=2&method='))).toEqual({ status: '4xx' }))

test('filters come back from the address they were written to', () => {
  const text = fc.string({ minLength: 1 }).filter((value) => value === value.trim())
  const filters = fc.record(Object.fromEntries(filterNames.map((name) => [name, text])), { requiredKeys: [] })
  fc.assert(
    fc.property(filters, (wanted) => {
      const { searchParams } = new URL(logAddress(wanted), 'http://localhost')
      expect(filtersOf(searchParams)).toEqual(wanted)
    }),
  )
})
