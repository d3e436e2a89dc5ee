import { expect, test } from 'vitest'
import { areStepsLeft } from './next-steps.ts'

const dayMs = 86_400_000

test.each([
  ['without requests, however old', false, false, 30],
  ['with a webhook but without requests', false, true, 1],
  ['with requests but without a webhook in its first days', true, false, 1],
])('an account %s sees the next steps', (_, hasCalled, hasWebhook, days) =>
  expect(areStepsLeft({ hasCalled, hasWebhook, ageMs: days * dayMs })).toBe(true),
)

test.each([
  ['with requests and a webhook', true, 1],
  ['with requests and older than a week', false, 8],
])('an account %s does not see the next steps', (_, hasWebhook, days) =>
  expect(areStepsLeft({ hasCalled: true, hasWebhook, ageMs: days * dayMs })).toBe(false),
)
