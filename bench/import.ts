// In charge of a large import into a serving process: how much slower the slowest answers become, for how long
// the event loop is ever blocked, and how soon the index has everything.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Catalogue } from './catalogues.ts'
import { filesIn } from './generate.ts'
import { applyLoad, isDoubtful, type Load, type LoadResult, p99MsOf } from './load.ts'
import { choosePaths, linesOf } from './prepare-requests.ts'
import { BenchProcess } from './processes.ts'
import { randomFrom } from './random.ts'
import { atMost, type Figure, tellStep } from './report.ts'
import { drawCombination, type Source } from './requests.ts'
import { readMetric, startServing } from './serving-process.ts'

export interface ImportPlan {
  readonly catalogue: Catalogue
  readonly source: Source
  readonly runDir: string
  readonly rows: number
}

/** What loop-delay.ts prints. */
interface LoopDelay {
  readonly wallMs: number
  readonly cpuMs: number
}

const p99RatioMax = 2
const blockedMaxMs = 50
const pathsCount = 20_000
const sliceSeconds = 10
const quietSlices = 3
const warmUpSeconds = 5
const importMaxMs = 900_000
/** A little more than loop-delay.ts takes between two reports. */
const loopReportMs = 1_500
const pathsSeed = 19
const writer = fileURLToPath(new URL('./import-writer.ts', import.meta.url))
const loopDelay = fileURLToPath(new URL('./loop-delay.ts', import.meta.url))

export async function benchImport(plan: ImportPlan): Promise<Figure[]> {
  const { catalogue, source, runDir } = plan
  const dataDir = path.join(runDir, 'import')
  mkdirSync(dataDir, { recursive: true })
  copyFileSync(filesIn(catalogue.directory).database, filesIn(dataDir).database)
  const serving = await startServing(dataDir, { nodeFlags: ['--import', loopDelay] })
  try {
    const random = randomFrom(pathsSeed)
    const combinations = Array.from({ length: pathsCount }, () => drawCombination(random, source))
    const pathsFile = path.join(dataDir, 'paths')
    writeFileSync(pathsFile, linesOf((await choosePaths(serving.url, catalogue, combinations)).paths))
    const load = { url: serving.url, server: serving.process, pathsFile, key: catalogue.key }
    await applyLoad({ ...load, seconds: warmUpSeconds })

    const quietFrom = serving.process.output.length
    const quiet: LoadResult[] = []
    while (quiet.length < quietSlices) quiet.push(await slice(load, 'quiet'))
    const importFrom = serving.process.output.length
    const imported = await importUnderLoad(plan, dataDir, serving.url, load)
    // The last second has still to be told.
    await delay(loopReportMs)
    const { output } = serving.process
    return [
      slowness(quiet, imported.runs),
      {
        ...blocking(
          longestDelay(output.slice(quietFrom, importFrom)),
          longestDelay(output.slice(importFrom)),
        ),
        isDoubtful: isDoubtful(quiet, imported.runs),
      },
      {
        name: 'import: rows written and indexed',
        measured: `${(imported.indexedMs / 1000).toFixed(0)} s`,
        details: `${plan.rows} rows; written in ${(imported.writtenMs / 1000).toFixed(0)} s; RSS ${(serving.process.rssBytes() / 1e6).toFixed(0)} MB`,
      },
    ]
  } finally {
    await serving.process.stop()
  }
}

/** Loads the service, slice after slice, until the writer is done and the index has every row. */
async function importUnderLoad(
  { catalogue, rows }: ImportPlan,
  dataDir: string,
  url: string,
  load: Omit<Load, 'seconds'>,
): Promise<{ runs: LoadResult[]; writtenMs: number; indexedMs: number }> {
  const startedMs = performance.now()
  const passedMs = () => performance.now() - startedMs
  const importing = new BenchProcess(
    [process.execPath, writer, dataDir, String(catalogue.count + 1), String(rows)],
    { core: 'load', maxMs: importMaxMs, isNice: true },
  )
  const written = importing.end().then(passedMs)
  // Heard below; a failure before that must not end the benchmark unheard.
  written.catch(() => {})
  const wanted = catalogue.count + rows
  const runs: LoadResult[] = []
  let watches = catalogue.count
  try {
    while (watches < wanted) {
      if (passedMs() > importMaxMs)
        throw new Error(`the index had ${watches} of ${wanted} watches after ${importMaxMs / 1000} s`)
      runs.push(await slice(load, `${watches} watches`))
      if (importing.hasEnded) await written
      watches = await readMetric(url, 'watchdata_index_watches')
    }
    return { runs, writtenMs: await written, indexedMs: passedMs() }
  } finally {
    await importing.stop()
  }
}

function slowness(quiet: readonly LoadResult[], busy: readonly LoadResult[]): Figure {
  const [quietMs, busyMs] = [p99MsOf(quiet), p99MsOf(busy)]
  const worstMs = Math.max(...busy.map(({ p99Ms }) => p99Ms))
  const perSecond = (runs: readonly LoadResult[]) =>
    (runs.reduce((sum, run) => sum + run.perSecond, 0) / runs.length).toFixed(0)
  return {
    name: 'import: p99 / quiet p99',
    ...atMost(busyMs / quietMs, p99RatioMax, '×'),
    isDoubtful: isDoubtful(quiet, busy),
    details: `p99 ${busyMs.toFixed(1)} ms, worst ${sliceSeconds} s ${worstMs.toFixed(1)} ms, quiet ${quietMs.toFixed(1)} ms; ${perSecond(busy)}/s, quiet ${perSecond(quiet)}/s`,
  }
}

function blocking(quiet: LoopDelay, busy: LoopDelay): Figure {
  const cpu = (delay: LoopDelay) => `${delay.cpuMs.toFixed(1)} ms of it on the CPU`
  return {
    name: 'import: event loop blocked',
    ...atMost(busy.wallMs, blockedMaxMs, 'ms'),
    details: `${cpu(busy)}; quiet ${quiet.wallMs.toFixed(1)} ms, ${cpu(quiet)}`,
  }
}

async function slice(load: Omit<Load, 'seconds'>, about: string): Promise<LoadResult> {
  const result = await applyLoad({ ...load, seconds: sliceSeconds })
  tellStep(
    `  import, ${about}: ${result.perSecond.toFixed(0)}/s, p99 ${result.p99Ms.toFixed(1)} ms, longest ${result.maxMs.toFixed(0)} ms`,
  )
  return result
}

function longestDelay(output: string): LoopDelay {
  const told = [...output.matchAll(/^LOOP (.*)$/gm)].map(([, json = '']): LoopDelay => JSON.parse(json))
  return told.sort((one, other) => other.wallMs - one.wallMs)[0] ?? { wallMs: Number.NaN, cpuMs: Number.NaN }
}
