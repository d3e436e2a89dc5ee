import { expect, test } from 'vitest'
import { areStepsLeft } from './next-steps.ts'

const dayMs = 86_400_000

test.each([
  ['who has not called yet, however long ago they came', false, false, 30],
  ['who has a webhook but has not called', false, true, 1],
  ['who has called and has no webhook in the first days', true, false, 1],
])('%s is told the next steps', (_, hasCalled, hasWebhook, days) =>
  expect(areStepsLeft({ hasCalled, hasWebhook, ageMs: days * dayMs })).toBe(true),
)

test.each([
  ['has called and has a webhook', true, 1],
  ['has called, and came more than a week ago', false, 8],
])('who %s is told nothing more', (_, hasWebhook, days) =>
  expect(areStepsLeft({ hasCalled: true, hasWebhook, ageMs: days * dayMs })).toBe(false),
)
