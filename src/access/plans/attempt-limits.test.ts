import { expect, test } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { Problem } from '../../errors.ts'
import { countInMemory } from '../../storage/attempts/open-attempts.ts'
import { Attempts, addressSubject } from './attempt-limits.ts'

test('beyond the limit the refusal says how long to wait, and later attempts are admitted', async () => {
  const clock = manualClock('2026-03-01T12:00:00.000Z')
  const attempts = new Attempts(countInMemory('test'), clock)
  await attempts.admit('a', 2)
  clock.moveTo('2026-03-01T12:00:20.500Z')
  await attempts.admit('a', 2)
  const refusal = await catchProblem(() => attempts.admit('a', 2))
  expect(refusal.code).toBe('too_many_requests')
  expect(refusal.details.headers).toEqual({ 'retry-after': '40' })
  await attempts.admit('b', 2)
  clock.moveTo('2026-03-01T12:01:00.000Z')
  await attempts.admit('a', 2)
})

test('the number of tracked subjects is bounded, and the latest are kept', async () => {
  const attempts = new Attempts(countInMemory('test'), manualClock())
  for (let subject = 0; subject < 25_000; subject++) await attempts.admit(`s${subject}`, 1)
  await expect(attempts.admit('s24999', 1)).rejects.toThrow(Problem)
  await expect(attempts.admit('s5001', 1)).rejects.toThrow(Problem)
  await attempts.admit('s100', 1)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0'],
  ['2001:0DB8:1:12ff::9', '2001:db8:1:1200'],
  ['2001:db8:1:1280:3::', '2001:db8:1:1200'],
  ['2001:db8:1:1300::', '2001:db8:1:1300'],
])('%s counts as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject)
})

async function catchProblem(work: () => Promise<void>): Promise<Problem> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('the attempt was admitted')
}
