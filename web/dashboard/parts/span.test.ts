import { describe, expect, test } from 'vitest'
import { spanText } from './span.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

describe('a countdown', () => {
  test.each([
    [24 * hourMs, '24 h 0 min'],
    [5 * hourMs + 12 * minuteMs + 31_000, '5 h 12 min'],
    [hourMs, '1 h 0 min'],
    [hourMs - 1_000, '59 min 59 s'],
    [minuteMs, '1 min 0 s'],
    [minuteMs - 1_000, '59 s'],
    [1_000, '1 s'],
  ])('shows %d ms as %s', (ms, text) => expect(spanText(ms)).toBe(text))

  test('does not show 0 before the end', () => expect(spanText(1)).toBe('1 s'))

  test('stays at 0 after the end', () => expect(spanText(-5_000)).toBe('0 s'))
})
