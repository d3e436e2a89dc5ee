import { describe, expect, test } from 'vitest'
import { findMoment, redeliveredInWords, sinceAtFirst } from './webhook-since.ts'

describe('the moment since which is redelivered', () => {
  test('is a day ago at first, to the minute, whatever the zone', () => {
    const first = sinceAtFirst(Date.parse('2026-03-02T12:34:56.000Z'))
    expect(first).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
    expect(findMoment(first)).toBe('2026-03-01T12:34:00.000Z')
  })

  test('is none where it is half written', () => {
    expect(findMoment('')).toBeUndefined()
    expect(findMoment('2026-03')).toBe('2026-03-01T00:00:00.000Z')
    expect(findMoment('yesterday')).toBeUndefined()
  })
})

test('what was redelivered is told, and that there may be more', () => {
  expect(redeliveredInWords(0)).toContain('nothing is sent again')
  expect(redeliveredInWords(1)).toBe('One event is sent again.')
  expect(redeliveredInWords(12)).toBe('12 events are sent again.')
  expect(redeliveredInWords(10_000)).toContain('once more')
})
