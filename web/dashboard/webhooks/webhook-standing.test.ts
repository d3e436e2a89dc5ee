import { describe, expect, test } from 'vitest'
import type { Webhook } from '../../account-api.ts'
import { webhookState } from './webhook-standing.ts'

const webhook: Webhook = {
  id: 1,
  endpoint_url: 'https://example.com/events',
  events: ['*'],
  filter: null,
  description: null,
  status: 'active',
  last_success_at: '2026-03-01T12:00:00.000Z',
  last_failure_at: null,
  consecutive_failures: 0,
  previous_secret_expires_at: null,
  created_at: '2026-02-01T12:00:00.000Z',
  updated_at: '2026-02-01T12:00:00.000Z',
}

describe('the state of a webhook', () => {
  test('has no explanation while it works', () => {
    expect(webhookState(webhook)).toEqual({ tone: 'good', word: 'Active' })
  })

  test.each([
    [1, 'Active', 'The last attempt failed.'],
    [4, 'Active', 'The last 4 attempts failed.'],
    [5, 'Active, failing', 'one event at a time'],
  ])('after %i failures in a row is %s', (consecutive_failures, word, why) => {
    const standing = webhookState({ ...webhook, consecutive_failures })
    expect(standing.word).toBe(word)
    expect(standing.why).toContain(why)
  })

  test('says that the user paused it', () => {
    expect(webhookState({ ...webhook, status: 'paused' }).why).toContain('You paused this webhook')
  })

  test('says that it receives no events because it is over the plan limit', () => {
    expect(webhookState(webhook, true).word).toBe('Over plan limit')
    expect(webhookState({ ...webhook, status: 'disabled' }, true).word).toBe('Disabled')
  })

  test.each([
    ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z', 'returned status 410, which'],
    [null, null, 'returned status 410, which'],
    ['2026-03-01T12:00:00.000Z', '2026-03-06T12:00:00.000Z', 'failed for five days, or'],
    [null, '2026-02-06T12:00:00.000Z', 'failed for five days, or'],
  ])('disabled with its last success at %s and failure at %s says why', (good, bad, why) => {
    const standing = webhookState({
      ...webhook,
      status: 'disabled',
      last_success_at: good,
      last_failure_at: bad,
    })
    expect(standing.why).toContain(why)
  })
})
