import { expect, test } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { Problem } from '../../errors.ts'
import { PageGuard, viewsPerMinuteMax } from './page-rate-limit.ts'

test('an IPv6 network counts as one address, and other addresses are not affected', () => {
  const guard = new PageGuard(false, manualClock())
  for (let view = 0; view < 8; view++) guard.admit(`2001:db8:1:2::${view}`)
  expect(() => guard.admit('2001:db8:1:2::ffff')).toThrow(Problem)
  guard.admit('2001:db8:1:3::1')
  guard.admit('192.0.2.1')
})

test('the limit per minute applies even where the limit per second is respected', () => {
  const clock = manualClock()
  const guard = new PageGuard(false, clock)
  const startMs = clock.nowMs()
  const wait = (ms: number) => clock.moveTo(new Date(startMs + ms).toISOString())
  for (let view = 0; view < viewsPerMinuteMax; view++) {
    wait(view * 150)
    guard.admit('192.0.2.1')
  }
  wait(viewsPerMinuteMax * 150)
  expect(() => guard.admit('192.0.2.1')).toThrow(Problem)
  wait(60_000)
  guard.admit('192.0.2.1')
})

test('a disabled limit counts nothing', () => {
  const guard = new PageGuard(true, manualClock())
  for (let view = 0; view < 1_000; view++) guard.admit('192.0.2.1')
})
