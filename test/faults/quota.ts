// The drill "the quota is exact": spends a daily quota in one burst over many connections, with one process that
// counts in memory, and with several that count in Redis or in PostgreSQL.
import { type PlanName, planNames, plans } from '../../src/access/plans/plans.ts'
import type { Environment } from '../../src/config.ts'
import { startRedis } from '../programs/redis.ts'
import type { Drill } from './drill.ts'
import { addAccounts } from './drill-accounts.ts'
import { onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { applyLoad, type Told } from './load.ts'
import { startServing } from './processes/serving-process.ts'

export interface QuotaPlan {
  readonly instances: number
  /** The number of connections to each instance. */
  readonly connections: number
  /** The number of requests of an account with this quota, over all instances. */
  readonly requests: (quota: number) => number
}

export interface QuotaReport {
  readonly plan: PlanName
  readonly limit: number
  readonly passed: number
  /** The number of X-RateLimit-Remaining values that were not returned exactly once. */
  readonly wrong: number
  /** Responses that are neither 200 nor 429. */
  readonly others: number
}

const defaults = { instances: 4, connections: 64, requests: 5_000 }

export const quotaDrill: Drill = {
  description: 'a daily quota spent in one burst: exactly the quota passes, each Remaining value once',
  flags: '--instances 4 --connections 64 --requests 5000 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers: given, engines } = parseFlags(flags, defaults)
    const numbers = { ...given, requests: () => given.requests }
    return onEachEngine(engines, async ({ name, settings }) => {
      if (name === 'sqlite')
        return report('memory, 1 instance', await spendDays(settings, { ...numbers, instances: 1 }))
      const counted = report(
        `PostgreSQL, ${numbers.instances} instances`,
        await spendDays(settings, { ...numbers }),
      )
      const redis = await startRedis()
      if (!redis.available) {
        process.stdout.write(`redis: not run, ${redis.reason}\n`)
        return counted
      }
      try {
        const inRedis = await spendDays({ ...settings, REDIS_URL: redis.address }, numbers)
        return report(`Redis, ${numbers.instances} instances`, inRedis) && counted
      } finally {
        await redis.stop()
      }
    })
  },
}

/** Spends the daily quota of one account of each plan. */
export async function spendDays(settings: Environment, plan: QuotaPlan): Promise<QuotaReport[]> {
  const instances = await startServing(plan.instances, { DATABASE_POOL_SIZE: '4', ...settings })
  try {
    const urls = instances.map(({ url }) => url)
    const keys = await addAccounts(settings, planNames)
    const reports: QuotaReport[] = []
    for (const [at, name] of planNames.entries()) {
      let left = plan.requests(plans[name].requestsPerDay)
      const goesOn = () => left-- > 0
      const told = await applyLoad({ urls, key: keys[at] ?? '', connections: plan.connections, goesOn })
      reports.push(judge(name, told))
    }
    return reports
  } finally {
    await Promise.all(instances.map((one) => one.stop()))
  }
}

function judge(plan: PlanName, told: readonly Told[]): QuotaReport {
  const limit = plans[plan].requestsPerDay
  const passed = told.filter(({ status }) => status === 200)
  const seen = new Map<number, number>()
  for (const { remaining } of passed) seen.set(remaining, (seen.get(remaining) ?? 0) + 1)
  let wrong = 0
  for (let value = 0; value < limit; value++) if (seen.get(value) !== 1) wrong++
  const others = told.filter(({ status }) => status !== 200 && status !== 429).length
  return { plan, limit, passed: passed.length, wrong, others }
}

export function isExact({ limit, passed, wrong, others }: QuotaReport): boolean {
  return passed === limit && wrong === 0 && others === 0
}

function report(name: string, reports: readonly QuotaReport[]): boolean {
  for (const { plan, limit, passed, wrong, others } of reports) {
    process.stdout.write(
      `${name}: ${plan} ${passed} of ${limit} passed, ${wrong} wrong values of Remaining, ${others} other responses\n`,
    )
  }
  return reports.every(isExact)
}
