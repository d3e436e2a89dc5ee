import { describe, expect, test } from 'vitest'
import { findMoment, redeliveredInWords, sinceAtFirst } from './webhook-since.ts'

describe('the time since which events are redelivered', () => {
  test('is one day ago by default, to the minute, in any time zone', () => {
    const first = sinceAtFirst(Date.parse('2026-03-02T12:34:56.000Z'))
    expect(first).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
    expect(findMoment(first)).toBe('2026-03-01T12:34:00.000Z')
  })

  test('is undefined when the field is empty or not a date', () => {
    expect(findMoment('')).toBeUndefined()
    expect(findMoment('2026-03')).toBe('2026-03-01T00:00:00.000Z')
    expect(findMoment('yesterday')).toBeUndefined()
  })
})

test('the number of redelivered events is shown, and whether there may be more', () => {
  expect(redeliveredInWords(0)).toContain('nothing to redeliver')
  expect(redeliveredInWords(1)).toBe('Redelivering 1 event.')
  expect(redeliveredInWords(12)).toBe('Redelivering 12 events.')
  expect(redeliveredInWords(10_000)).toContain('once more')
})
