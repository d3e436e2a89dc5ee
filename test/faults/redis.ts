// The drill "Redis may die": kills Redis under load and restarts it empty, early in a daily quota and just before its
// end; then kills Redis and PostgreSQL together.
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../src/config.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { StartedProgram } from '../programs/program.ts'
import { startRedis } from '../programs/redis.ts'
import type { Drill } from './drill.ts'
import { addAccounts } from './drill-accounts.ts'
import { parseFlags } from './flags.ts'
import { applyLoad, ask, type Told } from './load.ts'
import { startServing } from './processes/serving-process.ts'

const defaults = { instances: 4, connections: 16, limit: 8_000 }
/** When Redis is killed, as the share of the quota already spent. */
const killsAt = [0.2, 0.95]
const backAfterMs = 1_500
const calmAfterMs = 1_000
const p99MaxMs = 250
/** After this many 429 responses the quota counts as spent. */
const refusedEnough = 2_000
const recoveryMaxMs = 20_000
const roundMaxMs = 60_000

interface Programs {
  readonly redis: StartedProgram
  readonly postgres: StartedProgram
}

export const redisDrill: Drill = {
  description: 'Redis killed and restarted empty under load, then gone with PostgreSQL',
  flags: '--instances 4 --connections 16 --limit 8000',
  async run(flags) {
    const { numbers } = parseFlags(flags, defaults)
    const [redis, postgres] = [await startRedis(), await startPostgres({ durable: true })]
    try {
      if (!redis.available || !postgres.available) throw new Error('this drill needs Redis and PostgreSQL')
      return await drill({ redis, postgres }, numbers)
    } finally {
      for (const program of [redis, postgres]) if (program.available) await program.stop()
    }
  },
}

async function drill({ redis, postgres }: Programs, plan: typeof defaults): Promise<boolean> {
  const settings = {
    DATABASE_URL: postgres.address,
    DATABASE_POOL_SIZE: '4',
    REDIS_URL: redis.address,
    PLAN_LIMITS: `pro=${plan.limit}`,
    BURST_LIMIT: '0',
    LOG_LEVEL: 'fatal',
  }
  const instances = await startServing(plan.instances, settings)
  const urls = instances.map(({ url }) => url)
  try {
    let isKept = true
    for (const killAt of killsAt) isKept = (await loseRedis(redis, settings, urls, plan, killAt)) && isKept
    return (await loseBoth({ redis, postgres }, settings, urls)) && isKept
  } finally {
    await Promise.all(instances.map((one) => one.stop()))
  }
}

async function loseRedis(
  redis: StartedProgram,
  settings: Environment,
  urls: readonly string[],
  { connections, limit }: typeof defaults,
  killAt: number,
): Promise<boolean> {
  const [key = '', other = ''] = await addAccounts(settings, ['pro', 'pro'])
  let [passed, refused] = [0, 0]
  let killedMs = 0
  let breaking: Promise<void> | undefined
  const startedMs = performance.now()
  const told: Told[] = []
  const breakRedis = async () => {
    killedMs = performance.now()
    await redis.kill()
    await delay(backAfterMs)
    await redis.restart()
  }
  const goesOn = () => {
    if (breaking === undefined && passed >= limit * killAt) breaking = breakRedis()
    return refused < refusedEnough && performance.now() - startedMs < roundMaxMs
  }
  const note = (one: Told) => {
    told.push(one)
    if (one.status === 200) passed++
    else if (one.status === 429) refused++
  }
  await applyLoad({ urls, key, connections, goesOn, onTold: note })
  await breaking
  const others = await Promise.all(urls.map((url) => ask(url, other)))
  const inFlight = connections * urls.length
  const report = {
    killAt,
    passed,
    limit,
    inFlight,
    failed: told.filter(({ status }) => status !== 200 && status !== 429).length,
    quietP99Ms: p99(told.filter(({ endedMs }) => endedMs < killedMs)),
    calmP99Ms: p99(told.filter((one) => one.startedMs > killedMs + calmAfterMs)),
    lockedOut: others.filter(({ status }) => status !== 200).length,
  }
  tell(report)
  return (
    Math.abs(passed - limit) <= inFlight &&
    report.failed === 0 &&
    report.lockedOut === 0 &&
    report.calmP99Ms < p99MaxMs
  )
}

async function loseBoth(
  { redis, postgres }: Programs,
  settings: Environment,
  urls: readonly string[],
): Promise<boolean> {
  const [key = ''] = await addAccounts(settings, ['pro'])
  const before = await ask(urls[0] ?? '', key)
  await redis.kill()
  await postgres.kill()
  const answers = await Promise.all(urls.map((url) => until(url, key, ({ status }) => status !== 200)))
  const areTold = answers.every(({ status, retryAfter }) => status === 503 && Number(retryAfter) > 0)
  await postgres.restart()
  await redis.restart()
  const after = await Promise.all(urls.map((url) => until(url, key, ({ status }) => status === 200)))
  const areBack = after.every(({ status }) => status === 200)
  const isCounted = after.every(({ remaining }) => remaining < before.remaining)
  process.stdout.write(
    `both down: ${answers.map(({ status, retryAfter }) => `${status} (Retry-After ${retryAfter})`).join(', ')}; ` +
      `both back: ${after.map(({ status, remaining }) => `${status} (${remaining} left)`).join(', ')}\n`,
  )
  return areTold && areBack && isCounted
}

async function until(url: string, key: string, isIt: (told: Told) => boolean): Promise<Told> {
  const deadline = performance.now() + recoveryMaxMs
  for (;;) {
    const told = await ask(url, key)
    if (isIt(told) || performance.now() > deadline) return told
    await delay(100)
  }
}

function tell(report: Record<string, number>): void {
  const { killAt = 0, passed, limit, inFlight, failed, quietP99Ms = 0, calmP99Ms = 0, lockedOut } = report
  process.stdout.write(
    `killed at ${killAt * 100} % of the quota: ${passed} of ${limit} passed (${inFlight} in flight), ${failed} failed, ` +
      `${lockedOut} locked out; p99 ${quietP99Ms.toFixed(0)} ms before, ${calmP99Ms.toFixed(0)} ms from 1 s after\n`,
  )
}

function p99(told: readonly Told[]): number {
  const times = told.map(({ startedMs, endedMs }) => endedMs - startedMs).sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? 0
}
