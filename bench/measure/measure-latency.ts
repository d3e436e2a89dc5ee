// Measures latency in an open loop at a fixed share of the service's capacity, for the service and, to see what of it is
// due to the generator and the machine, for the bare server at the same rate.
import type { Contender } from './contest.ts'
import { applyOpenLoad } from './open-load.ts'
import type { OpenLoopResult } from './open-loop.ts'
import type { Prepared } from './prepare-workloads.ts'
import { serverCoreSeconds } from './processes.ts'
import { atMost, type Figure, percent, tellStep, warnIf } from './report.ts'

/** Share of the capacity that the closed loop measured. */
const capacityShare = 0.7
const p99OverP50Max = 4
/** If more of p99 than this is the generator's own lag, p99 says little about the service. */
const lagShareMax = 0.25
/** A server that reaches less of the rate is overloaded. Then p50 grows as much as p99, and their ratio looks good. */
const reachedShareMin = 0.95

interface Measured extends OpenLoopResult {
  /** Of the server's core, by the server and by all other programs. */
  readonly cpuShare: number
  readonly othersShare: number
}

export async function measureLatency(
  name: string,
  { capacity, seconds }: { readonly capacity: number; readonly seconds: number },
  { requestsFile, status, workload }: Prepared,
  [service, bare]: readonly [Contender, Contender],
): Promise<Figure & { readonly isDoubtful: boolean }> {
  const perSecond = capacity * capacityShare
  const measure = async (contender: Contender): Promise<Measured> => {
    const { url, process: server, sent: skipped } = contender
    const [startedMs, serverBefore, coreBefore] = [
      performance.now(),
      server.cpuSeconds(),
      serverCoreSeconds(),
    ]
    const result = await applyOpenLoad({ url, requestsFile, skipped, perSecond, seconds, status })
    const passedSeconds = (performance.now() - startedMs) / 1_000
    const serverSeconds = server.cpuSeconds() - serverBefore
    contender.sent += result.sent
    return {
      ...result,
      cpuShare: serverSeconds / passedSeconds,
      othersShare: Math.max(0, serverCoreSeconds() - coreBefore - serverSeconds) / passedSeconds,
    }
  }
  const own = await measure(service)
  tellStep(`  ${name}, open loop: ${told(own)}`)
  const other = await measure(bare)
  const lagMs = Math.max(own.lagP99Ms, other.lagP99Ms)
  const lag = `the load generator was late by ${lagMs.toFixed(2)} ms (p99)`
  return {
    name: `${name}: p99 / p50 at 70 % of capacity`,
    ...atMost(own.p99Ms / own.p50Ms, workload.bars && p99OverP50Max, '×'),
    isDoubtful: [
      warnIf(lagMs > own.p99Ms * lagShareMax, lag),
      warnIf(
        own.perSecond < perSecond * reachedShareMin,
        `the service did not reach ${perSecond.toFixed(0)}/s`,
      ),
    ].includes(true),
    details: `${told(own)}; bare ${told(other)}; ${lag}`,
  }
}

/** The shares of the core tell who took it where a latency stands out: the server itself, or other programs. */
function told({ perSecond, p50Ms, p99Ms, maxMs, cpuShare, othersShare }: Measured): string {
  const times = `p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} max ${maxMs.toFixed(0)} ms`
  return `${perSecond.toFixed(0)}/s ${times}, ${percent(cpuShare)} of its core (others ${percent(othersShare)})`
}
