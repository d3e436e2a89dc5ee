// `npm run bench -- workloads`: measures the service under each workload of bench/workloads/, compared with a bare
// node:http server that sends the same responses; with --soak, its memory under all of them in turn.
import { parseArgs } from 'node:util'
import { BadFlags } from '../test/faults/flags.ts'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { compareWorkload } from './measure/compare-workload.ts'
import type { ContestPlan } from './measure/contest.ts'
import { prepareWorkloads } from './measure/prepare-workloads.ts'
import { atMost, type Figure, printReport, type Rate } from './measure/report.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { readMetric, type Serving, startServing } from './measure/serving-process.ts'
import { soak } from './soak.ts'
import { workloads } from './workloads/all.ts'
import type { Workload } from './workloads/workload.ts'

interface Depth extends ContestPlan {
  readonly sizes: readonly string[]
  readonly requests: number
  readonly recorded: number
}

/** How thoroughly to measure: for a release, in under five minutes, and only to see that every workload runs. */
const depths = {
  whole: {
    sizes: ['100k', '1m'],
    ...{ rounds: 3, seconds: 5, warmUpSeconds: 2, firstWarmUpSeconds: 10 },
    ...{ requests: 20_000, recorded: 4_000 },
  },
  quick: {
    sizes: ['100k'],
    ...{ rounds: 2, seconds: 2, warmUpSeconds: 0.5, firstWarmUpSeconds: 2 },
    // Few enough for the caches to have seen each after the warm-up.
    ...{ requests: 5_000, recorded: 1_000 },
  },
  smoke: {
    sizes: ['300'],
    ...{ rounds: 1, seconds: 0.1, warmUpSeconds: 0, firstWarmUpSeconds: 0 },
    ...{ requests: 100, recorded: 50 },
  },
} as const satisfies Record<string, Depth>

interface Plan extends Depth {
  readonly workloads: readonly Workload[]
  readonly isKept: boolean
  readonly soakMinutes: number | undefined
}

const memoryMax = 1.8
const million = 1_000_000
const watchesMax = 10 * million

const usage = `Usage: npm run bench -- workloads

  --size N         only this catalogue: 100k, 1m or any number of watches (100k and 1m, one after the other)
  --only NAME,…    only these workloads: ${workloads.map(({ name }) => name).join(', ')}
  --rounds N       turns of each server (3)
  --seconds N      seconds of each turn (5)
  --quick          short turns over 100k: all workloads in under five minutes
  --smoke          only see that every workload runs
  --soak           run all workloads in turn and watch the memory
  --minutes N      how long (60)
  --keep           keep the generated catalogues for the next run
`

export async function benchWorkloads(flags: string[]): Promise<void> {
  let plan: Plan
  try {
    plan = parsePlan(flags)
  } catch (error) {
    if (!(error instanceof BadFlags)) throw error
    process.stderr.write(`${error.message}\n\n${usage}`)
    process.exitCode = 2
    return
  }
  const runDir = openRunDirectory()
  const told: { figures: Figure[]; rates: Rate[] } = { figures: [], rates: [] }
  try {
    for (const size of plan.sizes) {
      const catalogue = await provideCatalogue(parseSize(size), runDir, plan.isKept)
      if (plan.soakMinutes === undefined) await compareAll(size, plan, catalogue, runDir, told)
      else
        told.figures.push(
          ...(await soak({
            ...plan,
            size,
            catalogue,
            runDir,
            minutes: plan.soakMinutes,
            memoryMax: memoryMaxOf(catalogue),
          })),
        )
    }
  } finally {
    // Prints the figures measured so far even when a later part fails.
    if (!printReport(told.figures, told.rates)) process.exitCode = 1
  }
}

async function compareAll(
  label: string,
  plan: Plan,
  catalogue: Catalogue,
  runDir: string,
  told: { figures: Figure[]; rates: Rate[] },
): Promise<void> {
  const { rounds, seconds, warmUpSeconds } = plan
  const loadSeconds = rounds * (seconds + warmUpSeconds) + seconds
  const prepared = await prepareWorkloads({ ...plan, catalogue, runDir, loadSeconds })
  const serving = await startServing(catalogue.directory)
  const readyBytes = serving.process.rssBytes()
  const size = catalogue.count < million ? '100k' : '1m'
  try {
    for (const one of prepared) {
      const { figures, rates } = await compareWorkload({ plan, label, size }, serving, one)
      told.figures.push(...figures)
      told.rates.push(...rates)
    }
    told.figures.push(await memoryOf(label, catalogue, serving, readyBytes))
  } finally {
    await serving.process.stop()
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
    ...atMost(loadedBytes / catalogue.ndjsonBytes, memoryMaxOf(catalogue), '×'),
    details: `RSS ${mb(readyBytes)} ready, ${mb(loadedBytes)} after load; index ${mb(indexBytes)}; NDJSON ${mb(catalogue.ndjsonBytes)}`,
  }
}

/** A smaller catalogue has no bar: the runtime itself needs more than the watches. */
function memoryMaxOf({ count }: Catalogue): number | undefined {
  return count < million ? undefined : memoryMax
}

function parsePlan(flags: string[]): Plan {
  const values = parseValues(flags)
  const depth = depths[values.smoke ? 'smoke' : values.quick ? 'quick' : 'whole']
  const only = values.only?.split(',')
  const unknown = only?.find((name) => workloads.every((one) => one.name !== name))
  if (unknown !== undefined) throw new BadFlags(`there is no workload ${unknown}`)
  const number = (name: 'rounds' | 'seconds' | 'minutes', max: number) => {
    const written = values[name]
    if (written === undefined) return undefined
    const value = /^\d+$/.test(written) ? Number(written) : 0
    if (value < 1 || value > max) throw new BadFlags(`--${name} must be a whole number from 1 to ${max}`)
    return value
  }
  if (values.size !== undefined) parseSize(values.size)
  return {
    ...depth,
    sizes: values.size === undefined ? depth.sizes : [values.size],
    rounds: number('rounds', 100) ?? depth.rounds,
    seconds: number('seconds', 600) ?? depth.seconds,
    workloads: workloads.filter(({ name }) => only?.includes(name) ?? true),
    isKept: values.keep,
    soakMinutes: values.soak ? (number('minutes', 1_440) ?? 60) : undefined,
  }
}

/** `100k`, `1m` or a plain number. */
function parseSize(written: string): number {
  const [, digits = '0', unit = ''] = /^(\d{1,8})([km]?)$/.exec(written) ?? []
  const count = Number(digits) * { '': 1, k: 1_000, m: million }[unit as '' | 'k' | 'm']
  if (count < 1 || count > watchesMax) throw new BadFlags(`--size must be 100k, 1m or a number of watches`)
  return count
}

function parseValues(flags: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { size: text, only: text, rounds: text, seconds: text, minutes: text }
    const switches = { quick: flag, smoke: flag, soak: flag, keep: flag }
    return parseArgs({ args: flags, options: { ...options, ...switches } }).values
  } catch (error) {
    throw new BadFlags((error as Error).message)
  }
}
