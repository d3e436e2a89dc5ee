import { expect, test } from 'vitest'
import { DayColumn } from './day-column.ts'
import type { PriceColumn } from './price-columns.ts'

function columnsOf(names: readonly string[]): PriceColumn[] {
  return names.map((name) => ({
    name,
    role: { is: 'day', day: name, currency: undefined },
    decimal: undefined,
    currency: undefined,
  }))
}

test('columns such as Feb 26 are read as months if the header shows it, and a note says so', () => {
  const days = new DayColumn('prices.csv', undefined, '2026-03-01')
  expect(days.parse('Jan 26')).toMatchObject({ reason: expect.stringContaining('four digits') })
  expect(days.readHeader(columnsOf(['2025-11', 'Dec 25', 'Jan 26']))).toBe(
    'Columns of prices.csv such as Dec 25 are read as months: 2025-12.',
  )
  expect(days.parse('Jan 26')).toBe(Date.UTC(2026, 0, 1))
})

test('columns whose months leave no doubt need no note', () => {
  const days = new DayColumn('prices.csv', undefined, '2026-03-01')
  expect(days.readHeader(columnsOf(['Okt 25', 'Dez 25']))).toBeUndefined()
  expect(days.parse('Dez 25')).toBe(Date.UTC(2025, 11, 1))
})
