import { expect, it } from 'vitest'
import { planNames } from '../../src/access/plans/plans.ts'
import { createEngine, describeWithPostgres, describeWithRedis } from '../databases/engines.ts'
import { isExact, spendDays } from './quota.ts'

/** All connections still send requests when the quota is spent. */
const requests = (quota: number) => quota + 250

describeWithPostgres('a daily quota spent in one burst', (postgresUrl) => {
  describeWithRedis('with three processes', (redisUrl) => {
    it('exactly the quota of each plan passes, and each X-RateLimit-Remaining value is returned once', async () => {
      const settings = { ...(await createEngine(postgresUrl).settings('sample')), REDIS_URL: redisUrl }
      const reports = await spendDays(settings, { instances: 3, connections: 16, requests })
      expect(reports.map(({ plan, passed }) => [plan, passed])).toEqual([
        ['free', 50],
        ['pro', 500],
        ['platinum', 1_500],
      ])
      expect(reports.every(isExact), JSON.stringify(reports)).toBe(true)
      expect(reports).toHaveLength(planNames.length)
    })
  })
})
