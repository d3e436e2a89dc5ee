import { expect, test } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { DayLimitReached } from '../../access/plans/attempt-limits.ts'
import { Problem } from '../../errors.ts'
import { countInMemory } from '../../storage/attempts/open-attempts.ts'
import { PageGuard, viewsPerDayMax, viewsPerMinuteMax } from './page-rate-limit.ts'

const limited = { burstLimit: 1, explorer: 'limited' } as const

test('an IPv6 network counts as one address, and other addresses are not affected', () => {
  const guard = new PageGuard(limited, manualClock(), countInMemory)
  for (let view = 0; view < 8; view++) guard.admit(`2001:db8:1:2::${view}`)
  expect(() => guard.admit('2001:db8:1:2::ffff')).toThrow(Problem)
  guard.admit('2001:db8:1:300::1')
  guard.admit('192.0.2.1')
})

test('the limit per minute applies even where the limit per second is respected', () => {
  const clock = manualClock()
  const guard = new PageGuard(limited, clock, countInMemory)
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
  const guard = new PageGuard({ burstLimit: 0, explorer: 'limited' }, manualClock(), countInMemory)
  for (let view = 0; view < 1_000; view++) guard.admit('192.0.2.1')
})

test('an account has the views of its plan, whatever its address has used', () => {
  const clock = manualClock()
  const guard = new PageGuard(limited, clock, countInMemory)
  const pro = { accountId: 'a', plan: 'pro' } as const
  const spend = (views: number, who?: typeof pro) => {
    for (let view = 0; view < views; view++) guard.admitToday('192.0.2.1', who)
  }
  spend(viewsPerDayMax.none)
  spend(viewsPerDayMax.pro, pro)
  expect(() => spend(1)).toThrow(DayLimitReached)
  expect(() => spend(1, pro)).toThrow(DayLimitReached)
  clock.moveTo('2026-03-02T00:00:00.000Z')
  spend(1)
  spend(1, pro)
})

test('an open explorer has no limit per day', () => {
  const guard = new PageGuard({ burstLimit: 1, explorer: 'open' }, manualClock(), countInMemory)
  for (let view = 0; view < 1_000; view++) guard.admitToday('192.0.2.1', undefined)
})
