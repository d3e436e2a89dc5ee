// The drill "revocation is fast": revokes a key under load on several instances and finds the last request that still
// succeeded.
import { setTimeout as delay } from 'node:timers/promises'
import { findCaller, revokeKey } from '../../src/access/keys/keys.ts'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import type { Drill } from './drill.ts'
import { addAccounts } from './drill-accounts.ts'
import { onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { applyLoad } from './load.ts'
import { startServing } from './processes/serving-process.ts'

const defaults = { instances: 3, connections: 16, rounds: 3 }
const beforeMs = 1_000
const afterMs = 2_500
const seenMaxMs = 1_000

export const revokeDrill: Drill = {
  description: 'a key is revoked under load: 401 from every instance within a second',
  flags: '--instances 3 --connections 16 --rounds 3 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async ({ name, settings }) => {
      const worstMs = await revokeUnderLoad(settings, numbers)
      process.stdout.write(
        `${name}: ${numbers.rounds} revocations on ${numbers.instances} instances: last successful response after ${worstMs.toFixed(0)} ms\n`,
      )
      return worstMs <= seenMaxMs
    })
  },
}

async function revokeUnderLoad(settings: Environment, plan: typeof defaults): Promise<number> {
  const all = { ...settings, DATABASE_POOL_SIZE: '4', PLAN_LIMITS: 'pro=1000000', BURST_LIMIT: '0' }
  const instances = await startServing(plan.instances, all)
  const config = parseConfig({ ...settings, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  let worstMs = 0
  try {
    for (let round = 0; round < plan.rounds; round++) {
      const [key = ''] = await addAccounts(settings, ['pro'])
      const caller = await findCaller(database, systemClock, key)
      if (caller === undefined) throw new Error('a new key was not found')
      let isOver = false
      const urls = instances.map(({ url }) => url)
      const load = applyLoad({ urls, key, connections: plan.connections, goesOn: () => !isOver })
      await delay(beforeMs)
      await database.write((tx) => revokeKey(tx, systemClock, caller.accountId, caller.keyId))
      const revokedMs = performance.now()
      await delay(afterMs)
      isOver = true
      const good = (await load).filter(({ status }) => status === 200)
      worstMs = Math.max(worstMs, ...good.slice(-1_000).map(({ endedMs }) => endedMs - revokedMs))
    }
    return worstMs
  } finally {
    await database.close()
    await Promise.all(instances.map((one) => one.stop()))
  }
}
