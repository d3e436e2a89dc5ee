// Compares the service with the bare server under one workload: requests per second in a closed loop, in which they
// take turns, then latency in an open loop at a fixed share of the service's capacity.
import { fileURLToPath } from 'node:url'
import {
  type Contender,
  type ContestPlan,
  medianRatio,
  rateOf,
  runRounds,
  type Unrepeated,
} from './contest.ts'
import { connections, isDoubtful } from './load.ts'
import { applyOpenLoad } from './open-load.ts'
import type { OpenLoopResult } from './open-loop.ts'
import type { Prepared } from './prepare-workloads.ts'
import { BenchProcess } from './processes.ts'
import { atLeast, atMost, type Figure, type Rate, tellStep } from './report.ts'
import type { Serving } from './serving-process.ts'

export interface Comparison {
  readonly plan: ContestPlan
  readonly label: string
  /** Whose bars apply. */
  readonly size: '100k' | '1m'
}

export interface Outcome {
  readonly figures: readonly Figure[]
  readonly rates: readonly Rate[]
}

/** Share of the capacity in a closed loop at which latency is measured. */
const openShare = 0.7
const p99OverP50Max = 4
/** If more of p99 than this is the generator's own lag, p99 says little about the service. */
const lagShareMax = 0.25
/** Response sizes of service and bare server that differ by more are not the same responses. */
const bytesDifferenceMax = 0.1
const lifeMaxMs = 3_600_000
const bareServer = fileURLToPath(new URL('../baselines/bare-server.ts', import.meta.url))

export async function compareWorkload(
  { plan, label, size }: Comparison,
  serving: Serving,
  prepared: Prepared,
): Promise<Outcome> {
  const { workload, requestsFile, recording, codings } = prepared
  const name = `${label} ${workload.name}`
  const unrepeated = workload.isNeverRepeated ? { count: prepared.requests, used: 0 } : undefined
  const bare = new BenchProcess([process.execPath, bareServer, recording], {
    core: 'server',
    maxMs: lifeMaxMs,
  })
  try {
    const service = {
      server: 'service',
      url: serving.url,
      process: serving.process,
      requestsFile,
      ...(unrepeated && { unrepeated }),
    }
    const bareContender = {
      server: 'bare node:http',
      url: await bare.line(/^http/),
      process: bare,
      requestsFile,
    }
    const results = await runRounds(plan, name, [service, bareContender])
    const [own = [], others = []] = results
    const rates = [rateOf(name, service.server, own), rateOf(name, bareContender.server, others)] as const
    const closed = {
      name: `${name}: service / bare node:http`,
      ...atLeast(medianRatio(own, others), workload.bars?.[size]),
      details: `${medianRatio(own, others, 'perCpuSecond').toFixed(2)} by CPU second; ${codings}`,
    }
    const open = await measureLatency(name, plan, prepared, [service, bareContender], rates[0].perSecond)
    const doubts = [
      isDoubtful(own, others),
      warnIf(
        unrepeated !== undefined && unrepeated.used > unrepeated.count,
        'requests were repeated: there were too few',
      ),
      warnIf(
        Math.abs(rates[0].answerBytes / rates[1].answerBytes - 1) > bytesDifferenceMax,
        'the service and the bare server sent responses of different sizes',
      ),
    ]
    return { figures: [{ ...closed, isDoubtful: doubts.includes(true) }, open], rates }
  } finally {
    await bare.stop()
  }
}

async function measureLatency(
  name: string,
  { seconds }: ContestPlan,
  { requestsFile, status, workload }: Prepared,
  [service, bare]: readonly [Contender, Contender],
  capacity: number,
): Promise<Figure> {
  const perSecond = capacity * openShare
  const measure = async ({ url, unrepeated }: Contender): Promise<OpenLoopResult> => {
    const skipped = takeUnused(unrepeated, Math.ceil(perSecond * seconds) + connections)
    return applyOpenLoad({ url, requestsFile, skipped, perSecond, seconds, status })
  }
  const [own, other] = [await measure(service), await measure(bare)]
  const lagMs = Math.max(own.lagP99Ms, other.lagP99Ms)
  tellStep(`  ${name}, open loop: ${told(own)}`)
  return {
    name: `${name}: p99 / p50 at 70 % of capacity`,
    ...atMost(own.p99Ms / own.p50Ms, workload.bars && p99OverP50Max, '×'),
    isDoubtful: warnIf(
      lagMs > own.p99Ms * lagShareMax,
      `the load generator itself was late by up to ${lagMs.toFixed(2)} ms (p99)`,
    ),
    details: `${told(own)}; bare ${told(other)}; generator late by ${lagMs.toFixed(2)} ms (p99)`,
  }
}

function takeUnused(unrepeated: Unrepeated | undefined, needed: number): number {
  if (unrepeated === undefined) return 0
  const skipped = unrepeated.used % unrepeated.count
  unrepeated.used += needed
  return skipped
}

function told({ perSecond, p50Ms, p99Ms }: OpenLoopResult): string {
  return `${perSecond.toFixed(0)}/s p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms`
}

function warnIf(isTrue: boolean, text: string): boolean {
  if (isTrue) tellStep(`    WARNING: ${text}`)
  return isTrue
}
