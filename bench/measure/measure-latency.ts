// Measures latency in an open loop at a fixed share of the service's capacity, for the service and, to see what of it is
// due to the generator and the machine, for the bare server at the same rate.
import type { Contender } from './contest.ts'
import { applyOpenLoad } from './open-load.ts'
import type { OpenLoopResult } from './open-loop.ts'
import type { Prepared } from './prepare-workloads.ts'
import { atMost, type Figure, tellStep, warnIf } from './report.ts'

/** Share of the capacity that the closed loop measured. */
const capacityShare = 0.7
const p99OverP50Max = 4
/** If more of p99 than this is the generator's own lag, p99 says little about the service. */
const lagShareMax = 0.25
/** A server that reaches less of the rate is overloaded. Then p50 grows as much as p99, and their ratio looks good. */
const reachedShareMin = 0.95

export async function measureLatency(
  name: string,
  { capacity, seconds }: { readonly capacity: number; readonly seconds: number },
  { requestsFile, status, workload }: Prepared,
  [service, bare]: readonly [Contender, Contender],
): Promise<Figure & { readonly isDoubtful: boolean }> {
  const perSecond = capacity * capacityShare
  const measure = async (contender: Contender): Promise<OpenLoopResult> => {
    const { url, sent: skipped } = contender
    const result = await applyOpenLoad({ url, requestsFile, skipped, perSecond, seconds, status })
    contender.sent += result.sent
    return result
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

function told({ perSecond, p50Ms, p99Ms }: OpenLoopResult): string {
  return `${perSecond.toFixed(0)}/s p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms`
}
