// The drill "a crash loses few counts": kills the single process that counts requests in memory under load, and
// compares the requests it granted with the count of the next process.
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../src/config.ts'
import type { Drill } from './drill.ts'
import { addAccounts } from './drill-accounts.ts'
import { onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { applyLoad, ask, type Told } from './load.ts'
import { ServingProcess } from './processes/serving-process.ts'

const defaults = { kills: 10, connections: 64 }
const limit = 1_000_000
const lifeMinMs = 300
const lifeMaxMs = 900
const forgottenMaxMs = 50

export const countsDrill: Drill = {
  description: 'kill -9 of the process that counts in memory: it loses at most the last 50 ms of counts',
  flags: '--kills 10 --connections 64',
  run(flags) {
    const { numbers } = parseFlags(flags, defaults)
    return onEachEngine(['sqlite'], ({ settings }) => killUnderLoad(settings, numbers))
  },
}

async function killUnderLoad(settings: Environment, plan: typeof defaults): Promise<boolean> {
  const all = { ...settings, PLAN_LIMITS: `platinum=${limit}`, BURST_LIMIT: '0' }
  await (await new ServingProcess(all).ready()).stop()
  const [key = ''] = await addAccounts(settings, ['platinum'])
  let usedBefore = 0
  let worstMs = 0
  let worstLost = 0
  for (let kill = 0; kill < plan.kills; kill++) {
    const { granted, killedMs } = await liveAndDie(all, key, plan.connections)
    const next = await new ServingProcess(all).ready()
    const { remaining } = await ask(next.url, key)
    await next.stop()
    const used = limit - remaining - 1
    const lost = Math.max(0, usedBefore + granted.length - used)
    const oldest = granted.at(-lost)
    const forgottenMs = lost === 0 || oldest === undefined ? 0 : killedMs - oldest.endedMs
    if (forgottenMs > worstMs) [worstMs, worstLost] = [forgottenMs, lost]
    usedBefore = used + 1
  }
  process.stdout.write(
    `${plan.kills} kills under load: at most the last ${worstMs.toFixed(0)} ms of counts lost (${worstLost} requests)\n`,
  )
  return worstMs <= forgottenMaxMs
}

async function liveAndDie(
  settings: Environment,
  key: string,
  connections: number,
): Promise<{ granted: Told[]; killedMs: number }> {
  const serving = await new ServingProcess(settings).ready()
  let killedMs = Number.POSITIVE_INFINITY
  const load = applyLoad({
    urls: [serving.url],
    key,
    connections,
    goesOn: () => performance.now() < killedMs,
  })
  await delay(lifeMinMs + Math.random() * (lifeMaxMs - lifeMinMs))
  killedMs = performance.now()
  await serving.kill()
  const granted = (await load).filter(({ status }) => status === 200)
  return { granted: granted.sort((a, b) => a.endedMs - b.endedMs), killedMs }
}
