import { expect, test } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import { Quota } from '../../access/plans/quota.ts'
import { createMetrics } from '../../metrics.ts'
import { FairTurns } from '../../search/index/fair-turns.ts'
import type { Counter } from '../../storage/counter/counter.ts'
import { type Bill, Charges } from './charge.ts'

test('an account whose slow requests wait is refused for a second and not charged, other accounts pass', async () => {
  const clock = manualClock()
  const metrics = createMetrics()
  const turns = new FairTurns()
  const charged: string[] = []
  const counter = { read: () => 7, take: (account: string) => charged.push(account) }
  const quota = new Quota(counter as unknown as Counter, clock, {})
  const guards = { guard: new BurstGuard(1_000, clock), freeGuard: new BurstGuard(100, clock), turns }
  const charges = new Charges(quota, guards, metrics.quotaRefusals)
  const admit = (accountId: string) => {
    const caller = { accountId, keyId: 'any', plan: 'pro', isTest: false } as const
    const bill: Bill = { caller, allowance: undefined, isChargeDue: true, requests: 1 }
    charges.admit(bill, caller)
  }
  const nothing = { next: () => undefined, version: () => '' }
  const waiting = Array.from({ length: 100 }, () => turns.take('greedy', nothing))
  expect(() => admit('greedy')).toThrow(
    expect.objectContaining({ code: 'too_many_requests', details: { headers: { 'retry-after': '1' } } }),
  )
  expect(() => admit('modest')).not.toThrow()
  await Promise.all(waiting)
  expect(() => admit('greedy')).not.toThrow()
  expect(charged).toEqual([])
  const refused = await metrics.registry.getSingleMetricAsString('watchdata_quota_refusals_total')
  expect(refused).toContain('{reason="slow"} 1')
})
