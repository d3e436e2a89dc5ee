// Compares the service with the bare server under one workload: requests per second in a closed loop, in which they
// take turns, then latency in an open loop.
import type { BareServing } from './bare-serving.ts'
import { type ContestPlan, type Filling, fillCaches, medianRatio, rateOf, runRounds } from './contest.ts'
import { isDoubtful } from './load.ts'
import { measureLatency } from './measure-latency.ts'
import type { Prepared } from './prepare-workloads.ts'
import { atLeast, type Figure, type Rate, tellStep, warnIf } from './report.ts'
import type { Serving } from './serving-process.ts'

interface Comparison {
  readonly plan: ContestPlan & Filling
  readonly label: string
  readonly barsOf: '100k' | '1m'
}

interface Outcome {
  readonly figures: readonly Figure[]
  readonly rates: readonly Rate[]
}

/** Response sizes of service and bare server that differ by more are not the same responses. */
const bytesDifferenceMax = 0.1

export async function compareWorkload(
  { plan, label, barsOf }: Comparison,
  serving: Serving,
  bareServing: BareServing,
  prepared: Prepared,
): Promise<Outcome> {
  const { workload, requestsFile } = prepared
  const name = `${label} ${workload.name}`
  await bareServing.replay(prepared)
  const service = { server: 'service', url: serving.url, process: serving.process, requestsFile, sent: 0 }
  const { url, process } = bareServing
  const bare = { server: 'bare node:http', url, process, requestsFile, sent: 0 }
  if (!workload.isNeverRepeated) {
    const passes = await fillCaches(plan, service, prepared.requests)
    tellStep(`  ${name}: each request sent ${passes.toFixed(1)} times`)
  }
  const [own = [], others = []] = await runRounds(plan, name, [service, bare])
  const [rate, bareRate] = [rateOf(name, service.server, own), rateOf(name, bare.server, others)]
  const load = { capacity: rate.perSecond, seconds: plan.seconds }
  const latency = await measureLatency(name, load, prepared, [service, bare])
  const isBusy = isDoubtful(own, others)
  const differ = Math.abs(rate.answerBytes / bareRate.answerBytes - 1) > bytesDifferenceMax
  const doubts = [
    warnIf(differ, 'the service and the bare server sent responses of different sizes'),
    warnIf(workload.isNeverRepeated && service.sent > prepared.requests, 'requests were repeated'),
  ]
  const ratio = {
    name: `${name}: service / bare node:http`,
    ...atLeast(medianRatio(own, others), workload.bars?.[barsOf]),
    isDoubtful: isBusy || doubts.includes(true),
    details: `${medianRatio(own, others, 'perCpuSecond').toFixed(2)} by CPU second; ${prepared.codings}`,
  }
  return {
    figures: [ratio, { ...latency, isDoubtful: isBusy || latency.isDoubtful }],
    rates: [rate, bareRate],
  }
}
