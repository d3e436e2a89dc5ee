// `npm run bench -- workloads`: measures the service under each workload of bench/workloads/, compared with a bare
// node:http server that sends the same responses; with --soak, its memory under all of them in turn.
import { BadFlags } from '../test/faults/flags.ts'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { BareServing } from './measure/bare-serving.ts'
import { compareWorkload } from './measure/compare-workload.ts'
import { memoryRatio } from './measure/memory-ratio.ts'
import { prepareWorkloads } from './measure/prepare-workloads.ts'
import { type Figure, printReport, type Rate } from './measure/report.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { readMetric, type Serving, startServing } from './measure/serving-process.ts'
import { soak } from './soak.ts'
import { parsePlan, usage, type WorkloadPlan } from './workload-plan.ts'

interface Told {
  readonly figures: Figure[]
  readonly rates: Rate[]
}

export async function benchWorkloads(flags: string[]): Promise<void> {
  let plan: WorkloadPlan
  try {
    plan = parsePlan(flags)
  } catch (error) {
    if (!(error instanceof BadFlags)) throw error
    process.stderr.write(`${error.message}\n\n${usage}`)
    process.exitCode = 2
    return
  }
  const { isKept, soakMinutes: minutes } = plan
  const runDir = openRunDirectory()
  const told: Told = { figures: [], rates: [] }
  try {
    for (const { label, count } of plan.sizes) {
      const catalogue = await provideCatalogue(count, runDir, isKept)
      if (minutes === undefined) await compareAll(label, plan, catalogue, runDir, told)
      else told.figures.push(...(await soak({ ...plan, label, catalogue, runDir, minutes })))
    }
  } finally {
    // Prints the figures measured so far even when a later part fails.
    if (!printReport(told.figures, told.rates)) process.exitCode = 1
  }
}

async function compareAll(
  label: string,
  plan: WorkloadPlan,
  catalogue: Catalogue,
  runDir: string,
  told: Told,
): Promise<void> {
  const { rounds, seconds, warmUpSeconds, firstWarmUpSeconds } = plan
  const loadSeconds = firstWarmUpSeconds + rounds * (seconds + warmUpSeconds) + seconds
  const prepared = await prepareWorkloads({ ...plan, catalogue, runDir, loadSeconds })
  const serving = await startServing(catalogue.directory)
  const readyBytes = serving.process.rssBytes()
  const barsOf = catalogue.count < 1_000_000 ? '100k' : '1m'
  const bare = await BareServing.start(prepared, plan.bareWarmUpSeconds)
  try {
    for (const one of prepared) {
      const { figures, rates } = await compareWorkload({ plan, label, barsOf }, serving, bare, one)
      told.figures.push(...figures)
      told.rates.push(...rates)
    }
    told.figures.push(await memoryOf(label, catalogue, serving, readyBytes))
  } finally {
    await Promise.all([serving.process.stop(), bare.process.stop()])
  }
}

async function memoryOf(
  label: string,
  catalogue: Catalogue,
  serving: Serving,
  readyBytes: number,
): Promise<Figure> {
  const loadedBytes = serving.process.rssBytes()
  const indexBytes = await readMetric(serving.url, 'watchdata_index_bytes')
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  return {
    name: `${label}: memory after load / NDJSON`,
    ...memoryRatio(loadedBytes, catalogue),
    details: `RSS ${mb(readyBytes)} ready, ${mb(loadedBytes)} after load; index ${mb(indexBytes)}; NDJSON ${mb(catalogue.ndjsonBytes)}`,
  }
}
