// Runs all workloads in turn for a long time and watches the memory of the service: its size after the last turn, and
// whether it still grows in the second half.
import type { Catalogue } from './catalogues/kept-catalogues.ts'
import { applyLoad } from './measure/load.ts'
import { memoryRatio } from './measure/memory-ratio.ts'
import { type Prepared, prepareWorkloads } from './measure/prepare-workloads.ts'
import { atMost, type Figure, tellStep } from './measure/report.ts'
import { type Serving, startServing } from './measure/serving-process.ts'
import type { Workload } from './workloads/workload.ts'

interface SoakPlan {
  readonly label: string
  readonly catalogue: Catalogue
  readonly runDir: string
  readonly workloads: readonly Workload[]
  readonly requests: number
  readonly minutes: number
}

interface Sample {
  readonly hours: number
  readonly megabytes: number
}

const turnSeconds = 15
/** No bare server takes part, so few recorded responses are needed: enough to estimate the rate. */
const recorded = 500

export async function soak(plan: SoakPlan): Promise<Figure[]> {
  const { catalogue, minutes, workloads } = plan
  const loadSeconds = Math.ceil((minutes * 60) / workloads.length)
  const prepared = await prepareWorkloads({ ...plan, recorded, loadSeconds })
  const serving = await startServing(catalogue.directory)
  try {
    const samples = await runTurns(plan, serving, prepared)
    const last = samples.at(-1)?.megabytes ?? Number.NaN
    const ndjsonMb = catalogue.ndjsonBytes / 1e6
    const slope = slopeOf(samples.slice(Math.floor(samples.length / 2)))
    return [
      {
        name: `${plan.label}: memory after ${minutes} min of all workloads / NDJSON`,
        ...memoryRatio(last * 1e6, catalogue),
        details: `RSS ${last.toFixed(0)} MB, highest ${Math.max(...samples.map(({ megabytes }) => megabytes)).toFixed(0)} MB; NDJSON ${ndjsonMb.toFixed(0)} MB`,
      },
      {
        name: `${plan.label}: growth of memory in the last half`,
        ...atMost(slope, undefined, 'MB/h'),
        details: `${((slope / last) * 100).toFixed(1)} % of it an hour`,
      },
    ]
  } finally {
    await serving.process.stop()
  }
}

async function runTurns(
  { minutes, catalogue }: SoakPlan,
  serving: Serving,
  prepared: readonly Prepared[],
): Promise<Sample[]> {
  const { url, process: server } = serving
  const startedMs = performance.now()
  const hours = () => (performance.now() - startedMs) / 3_600_000
  const samples: Sample[] = []
  const sent = new Map<Prepared, number>()
  for (let turn = 0; hours() * 60 < minutes; turn++) {
    const one = prepared[turn % prepared.length] as Prepared
    const { requestsFile, workload } = one
    // When the requests that may not be repeated have run out, they start again: no cache holds their results any more.
    const skipped = sent.get(one) ?? 0
    const result = await applyLoad({ url, server, requestsFile, skipped, seconds: turnSeconds })
    sent.set(one, skipped + result.requests)
    const megabytes = server.rssBytes() / 1e6
    samples.push({ hours: hours(), megabytes })
    const ratio = (megabytes * 1e6) / catalogue.ndjsonBytes
    tellStep(
      `  ${(hours() * 60).toFixed(1)} min: RSS ${megabytes.toFixed(0)} MB (${ratio.toFixed(2)} ×) after ${workload.name}, ${result.perSecond.toFixed(0)}/s`,
    )
  }
  return samples
}

/** The slope of the line of best fit, in MB per hour. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [meanHours, meanMb] = [mean(({ hours }) => hours), mean(({ megabytes }) => megabytes)]
  const along = mean(({ hours, megabytes }) => (hours - meanHours) * (megabytes - meanMb))
  return along / mean(({ hours }) => (hours - meanHours) ** 2)
}
