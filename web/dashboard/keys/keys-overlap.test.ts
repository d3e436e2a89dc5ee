import { expect, test } from 'vitest'
import { overlapEnd } from './keys-overlap.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')

test('a rolled key expires after the overlap', () =>
  expect(overlapEnd(24, nowMs, null)).toBe('2026-03-02T12:00:00.000Z'))

test('rolling a key does not extend its expiry', () =>
  expect(overlapEnd(168, nowMs, '2026-03-02T00:00:00.000Z')).toBe('2026-03-02T00:00:00.000Z'))

test('a key with a later expiry expires after the overlap', () =>
  expect(overlapEnd(1, nowMs, '2026-03-02T00:00:00.000Z')).toBe('2026-03-01T13:00:00.000Z'))
