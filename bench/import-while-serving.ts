// `npm run bench -- import-while-serving`: measures a large import while the service runs, and its undo: how much the p99
// of requests grows, the longest time that the event loop is blocked, and how long it takes until the index has every row.
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseFlags } from '../test/faults/flags.ts'
import { writeWatchFiles } from './catalogues/generated-files.ts'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { drawMix } from './measure/draw-mix.ts'
import { applyLoad, applyLoadDuring, type Load } from './measure/load.ts'
import { BenchProcess } from './measure/processes.ts'
import { type LoopDelay, longestDelay, loopDelayFlags } from './measure/read-loop-delay.ts'
import { atMost, type Figure, printReport, tellStep } from './measure/report.ts'
import { writeRequests } from './measure/request-file.ts'
import { sourceOf } from './measure/requests.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { readMetric, startServing } from './measure/serving-process.ts'
import { curl } from './workloads/clients.ts'
import { listPath } from './workloads/workload.ts'

interface ImportPlan {
  readonly catalogue: Catalogue
  readonly runDir: string
  readonly rows: number
}

type Told = Awaited<ReturnType<typeof applyLoadDuring>>

const p99RatioMax = 2
const blockedMaxMs = 50
const count = 100_000
const defaults = { rows: 1_000_000 }
const mixRequests = 20_000
const quietSeconds = 60
const warmUpSeconds = 15
const importMaxMs = 900_000
const lookMs = 1_000
const tellMs = 10_000
/** A little more than loop-delay.ts takes between two reports. */
const loopReportMs = 1_500
const command = fileURLToPath(new URL('../bin/watchdata', import.meta.url))

export async function benchImportWhileServing(flags: readonly string[]): Promise<void> {
  const keep = '--keep'
  const { rows } = parseFlags(
    flags.filter((flag) => flag !== keep),
    defaults,
  ).numbers
  const runDir = openRunDirectory()
  const catalogue = await provideCatalogue(count, runDir, flags.includes(keep))
  if (!printReport(await bench({ catalogue, runDir, rows }), [])) process.exitCode = 1
}

async function bench(plan: ImportPlan): Promise<Figure[]> {
  const { catalogue, runDir } = plan
  // On any core, as in production: a worker thread builds the index beside the main thread.
  const serving = await startServing(catalogue.directory, { core: 'any', nodeFlags: loopDelayFlags })
  try {
    const requestsFile = path.join(runDir, 'requests')
    const mix = await drawMix(serving.url, catalogue, await sourceOf(count), mixRequests)
    const lines = mix.map(({ query }) => ({ path: `${listPath}?${query}` }))
    writeRequests(requestsFile, curl(catalogue.key), lines)
    const file = path.join(runDir, 'import.csv')
    await writeWatchFiles({ first: catalogue.count + 1, rows: plan.rows, csv: file })
    const load = { url: serving.url, server: serving.process, requestsFile }
    await applyLoad({ ...load, seconds: warmUpSeconds })

    const quietFrom = serving.process.output.length
    const quiet = await applyLoad({ ...load, seconds: quietSeconds })
    tellStep(`  quiet: ${told(quiet)}`)
    const figures: Figure[] = []
    const quietDelay = longestDelay(serving.process.output.slice(quietFrom))
    const steps = [
      { name: 'import', args: ['import', file, '--rejected', `${file}.rejected`], rows: plan.rows },
      { name: 'undo', args: ['imports', 'undo', '1'], rows: 0 },
    ]
    for (const { name, args, rows } of steps) {
      const from = serving.process.output.length
      const done = await runUnderLoad(name, catalogue, args, catalogue.count + rows, load)
      tellStep(`  ${name}: ${told(done.load)}`)
      // loop-delay.ts has not reported the last second yet.
      await delay(loopReportMs)
      figures.push(
        {
          name: `${name}: p99 / quiet p99`,
          ...atMost(done.load.p99Ms / quiet.p99Ms, p99RatioMax, '×'),
          details: `${name} ${told(done.load)}; quiet ${told(quiet)}`,
        },
        blocking(name, quietDelay, longestDelay(serving.process.output.slice(from))),
        {
          name: `${name}: rows written and indexed`,
          measured: `${(done.indexedMs / 1000).toFixed(0)} s`,
          details: `${plan.rows} rows; written in ${(done.writtenMs / 1000).toFixed(0)} s; RSS ${(serving.process.rssBytes() / 1e6).toFixed(0)} MB`,
        },
      )
    }
    return figures
  } finally {
    await serving.process.stop()
  }
}

/** Applies load until the command has ended and the index contains the wanted number of watches. */
async function runUnderLoad(
  name: string,
  catalogue: Catalogue,
  args: readonly string[],
  wanted: number,
  load: Omit<Load, 'seconds'>,
): Promise<{ load: Told; writtenMs: number; indexedMs: number }> {
  const startedMs = performance.now()
  const passedMs = () => performance.now() - startedMs
  const running = new BenchProcess([command, ...args, '--json'], {
    core: 'load',
    maxMs: importMaxMs,
    env: { DATA_DIR: catalogue.directory },
  })
  const written = running.end().then(passedMs)
  // Awaited below. Until then, this handler keeps a failure from ending the process as an unhandled rejection.
  written.catch(() => {})
  try {
    const result = await applyLoadDuring({ ...load, seconds: importMaxMs / 1000 }, () =>
      indexed(name, load.url, wanted, async () => void (running.hasEnded && (await written))),
    )
    return { load: result, writtenMs: await written, indexedMs: passedMs() }
  } finally {
    await running.stop()
  }
}

/** Resolves when the index contains the wanted number of watches. `check` throws if the command has failed. */
async function indexed(name: string, url: string, wanted: number, check: () => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  let toldMs = startedMs
  for (let watches = -1; watches !== wanted; ) {
    await delay(lookMs)
    await check()
    watches = await readMetric(url, 'watchdata_index_watches')
    const nowMs = performance.now()
    if (nowMs - startedMs > importMaxMs)
      throw new Error(`the index had ${watches} of ${wanted} watches after ${importMaxMs / 1000} s`)
    if (nowMs - toldMs < tellMs) continue
    tellStep(`  ${name}: ${watches} watches after ${((nowMs - startedMs) / 1000).toFixed(0)} s`)
    toldMs = nowMs
  }
}

function blocking(name: string, quiet: LoopDelay, busy: LoopDelay): Figure {
  const cpu = (delay: LoopDelay) => `${delay.cpuMs.toFixed(1)} ms of it on the CPU`
  return {
    name: `${name}: event loop blocked`,
    ...atMost(busy.wallMs, blockedMaxMs, 'ms'),
    details: `${cpu(busy)}; quiet ${quiet.wallMs.toFixed(1)} ms, ${cpu(quiet)}`,
  }
}

function told({ perSecond, p50Ms, p99Ms, maxMs }: Told): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(0)} ms`
}
