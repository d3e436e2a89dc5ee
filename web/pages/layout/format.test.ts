import { expect, test } from 'vitest'
import { formatNumber, formatSpan, formatUsd, utcTime } from './format.ts'

test('numbers have thousands separators, and whole dollars have no cents', () => {
  expect([formatNumber(1500), formatUsd(0), formatUsd(79), formatUsd(1234.5)]).toEqual([
    '1,500',
    '$0',
    '$79',
    '$1,234.50',
  ])
})

test.each([
  ['2026-03-01T00:00:00Z', '0 s'],
  ['2026-03-01T00:00:59Z', '59 s'],
  ['2026-03-01T01:00:00Z', '1 h'],
  ['2026-03-01T01:00:09Z', '1 h'],
  ['2026-03-02T05:59:00Z', '1 day 5 h'],
  ['2029-03-01T00:12:00Z', '1,096 days'],
  ['2026-02-28T23:59:59Z', '0 s'],
])('a span up to %s reads %s', (to, expected) => {
  expect(formatSpan('2026-03-01T00:00:00Z', to)).toBe(expected)
})

test('a time is shown in UTC, whatever its time zone', () => {
  expect(utcTime('2026-03-01T01:05:09+02:00').text).toBe(
    '<time datetime="2026-02-28T23:05:09.000Z" data-local>Feb 28, 2026, 23:05:09 UTC</time>',
  )
})
