import { describe, expect, test } from 'vitest'
import type { Attempt, Delivery } from '../../../account-api.ts'
import { answerOf, findLastAnswer, findReason, inSpan, isTaken, pollIntervalMs } from './delivery-words.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')
const delivery: Delivery = {
  id: 3,
  event: { id: 'evt_3', type: 'watch.updated', timestamp: '2026-03-01T11:59:00.000Z', sequence: 3 },
  status: 'waiting',
  attempts_count: 0,
  next_attempt_at: '2026-03-01T12:00:00.000Z',
  waiting_for: null,
  last_attempt_at: null,
  last_response_status: null,
  last_error: null,
  created_at: '2026-03-01T12:00:00.000Z',
}
const attempt: Attempt = {
  attempt: 1,
  at: '2026-03-01T12:00:00.000Z',
  endpoint_url: 'https://example.com/events',
  duration_ms: 120,
  response_status: 204,
  response_body: '',
  error: null,
}

describe('the polling interval of the log', () => {
  const often = pollIntervalMs([delivery], now)
  const seldom = pollIntervalMs([], now)

  test('is one to two seconds while a delivery is due', () => {
    expect(often).toBeGreaterThanOrEqual(1_000)
    expect(often).toBeLessThanOrEqual(2_000)
  })

  test.each<[string, Partial<Delivery>, number]>([
    ['has no time yet', { next_attempt_at: null }, often],
    ['is due in ten seconds', { next_attempt_at: '2026-03-01T12:00:10.000Z' }, often],
    ['is due in five minutes', { next_attempt_at: '2026-03-01T12:05:00.000Z' }, seldom],
    ['has been due for minutes', { next_attempt_at: '2026-03-01T11:57:00.000Z' }, seldom],
    ['waits behind an earlier one', { next_attempt_at: null, waiting_for: 'earlier_event' }, seldom],
    ['waits for its webhook', { next_attempt_at: null, waiting_for: 'paused' }, seldom],
    ['is delivered', { status: 'delivered', next_attempt_at: null }, seldom],
  ])('fits a delivery that %s', (_, changes, expected) => {
    expect(pollIntervalMs([{ ...delivery, ...changes }], now)).toBe(expected)
  })
})

describe('a delivery in words', () => {
  test('says what it waits for, unless it waits for its next attempt', () => {
    expect(findReason(delivery)).toBeUndefined()
    expect(findReason({ ...delivery, waiting_for: 'earlier_event' })).toContain('same watch')
    expect(findReason({ ...delivery, waiting_for: 'disabled' })).toContain('active again')
  })

  test('says the result of the last attempt', () => {
    const last_attempt_at = '2026-03-01T12:00:00.000Z'
    expect(findLastAnswer(delivery)).toBeUndefined()
    expect(findLastAnswer({ ...delivery, last_attempt_at, last_response_status: 500 })).toBe('Status 500')
    expect(findLastAnswer({ ...delivery, last_attempt_at, last_error: 'No answer within 15 seconds.' })).toBe(
      'No answer within 15 seconds.',
    )
  })
})

describe('an attempt in words', () => {
  test('says the status and the duration', () => {
    expect(answerOf(attempt)).toBe('status 204 after 120 ms')
    expect(answerOf({ ...attempt, response_status: null, duration_ms: 15_000 })).toBe(
      'no response after 15.0 s',
    )
    expect(inSpan(999)).toBe('999 ms')
    expect(inSpan(1_250)).toBe('1.3 s')
  })

  test('succeeds only with a 2xx status', () => {
    expect(isTaken(attempt)).toBe(true)
    for (const status of [302, 410, 500, null])
      expect(isTaken({ ...attempt, response_status: status })).toBe(false)
  })
})
