// In charge of a large import into a serving process: how much slower the slowest answers become, for how long
// the event loop is ever blocked, and how soon the index has everything.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Catalogue } from './catalogues.ts'
import { filesIn } from './generate.ts'
import { applyLoad, type Load, type LoadResult, p99MsOf } from './load.ts'
import { BenchProcess } from './processes.ts'
import { randomFrom } from './random.ts'
import { atMost, type Figure, tellStep } from './report.ts'
import { drawCombination, pathOf, type Source } from './requests.ts'
import { askAll, readMetric, startServing } from './serving-process.ts'

export interface ImportPlan {
  readonly catalogue: Catalogue
  readonly source: Source
  readonly runDir: string
  readonly rows: number
}

const p99RatioMax = 2
const blockedMaxMs = 50
const pathsCount = 20_000
const perPage = 25
const sliceSeconds = 10
const quietSlices = 3
const warmUpSeconds = 5
const importMaxMs = 900_000
const pathsSeed = 19
const writer = fileURLToPath(new URL('./import-writer.ts', import.meta.url))
const loopDelay = fileURLToPath(new URL('./loop-delay.ts', import.meta.url))

export async function benchImport({ catalogue, source, runDir, rows }: ImportPlan): Promise<Figure[]> {
  const dataDir = path.join(runDir, 'import')
  mkdirSync(dataDir, { recursive: true })
  copyFileSync(filesIn(catalogue.directory).database, filesIn(dataDir).database)
  const serving = await startServing(dataDir, { nodeFlags: ['--import', loopDelay] })
  try {
    const pathsFile = path.join(dataDir, 'paths')
    writeFileSync(pathsFile, await choosePaths(serving.url, catalogue.key, source))
    const load = { url: serving.url, server: serving.process, pathsFile, key: catalogue.key }
    await applyLoad({ ...load, seconds: warmUpSeconds })

    const quietFrom = serving.process.output.length
    const quiet: LoadResult[] = []
    while (quiet.length < quietSlices) quiet.push(await slice(load, 'quiet'))
    const importFrom = serving.process.output.length

    const startedMs = performance.now()
    const importing = new BenchProcess(
      [process.execPath, writer, dataDir, String(catalogue.count + 1), String(rows)],
      { core: 'load', maxMs: importMaxMs, isNice: true },
    )
    const wanted = catalogue.count + rows
    let writtenMs = 0
    const written = importing.end().then(() => {
      writtenMs = performance.now() - startedMs
    })
    written.catch(() => {})
    const busy: LoadResult[] = []
    let watches = 0
    try {
      while (watches < wanted) {
        if (performance.now() - startedMs > importMaxMs)
          throw new Error(`the index had ${watches} of ${wanted} watches after ${importMaxMs / 1000} s`)
        busy.push(await slice(load, `${watches} watches`))
        if (importing.hasEnded) await written
        watches = await readMetric(serving.url, 'watchdata_index_watches')
      }
    } finally {
      await importing.stop()
    }
    const indexedMs = performance.now() - startedMs
    // The last second has still to be told.
    await delay(1_500)

    const longestMs = longestDelayMs(serving.process.output.slice(importFrom))
    const quietLongestMs = longestDelayMs(serving.process.output.slice(quietFrom, importFrom))
    const ratio = p99MsOf(busy) / p99MsOf(quiet)
    const worstMs = Math.max(...busy.map(({ p99Ms }) => p99Ms))
    const perSecond = (runs: readonly LoadResult[]) =>
      (runs.reduce((sum, run) => sum + run.perSecond, 0) / runs.length).toFixed(0)
    return [
      {
        name: 'import: p99 / quiet p99',
        ...atMost(ratio, p99RatioMax, '×'),
        details: `p99 ${p99MsOf(busy).toFixed(1)} ms, worst 10 s ${worstMs.toFixed(1)} ms, quiet ${p99MsOf(quiet).toFixed(1)} ms; ${perSecond(busy)}/s, quiet ${perSecond(quiet)}/s`,
      },
      {
        name: 'import: event loop blocked',
        ...atMost(longestMs, blockedMaxMs, 'ms'),
        details: `quiet ${quietLongestMs.toFixed(1)} ms`,
      },
      {
        name: 'import: rows written and indexed',
        measured: `${(indexedMs / 1000).toFixed(0)} s`,
        details: `${rows} rows; written in ${(writtenMs / 1000).toFixed(0)} s; RSS ${(serving.process.rssBytes() / 1e6).toFixed(0)} MB`,
      },
    ]
  } finally {
    await serving.process.stop()
  }
}

async function choosePaths(url: string, key: string, source: Source): Promise<string> {
  const random = randomFrom(pathsSeed)
  const combinations = Array.from({ length: pathsCount }, () => drawCombination(random, source))
  const paths: string[] = []
  const questions = combinations.map(({ query }) => `/api/v1/watches?${query}&per_page=1`)
  await askAll(url, key, questions, ({ body }, index) => {
    const { total } = JSON.parse(body.toString()).meta
    paths[index] = pathOf(random, combinations[index] as (typeof combinations)[number], total, perPage)
  })
  return `${paths.join('\n')}\n`
}

async function slice(load: Omit<Load, 'seconds'>, about: string): Promise<LoadResult> {
  const result = await applyLoad({ ...load, seconds: sliceSeconds })
  tellStep(
    `  import, ${about}: ${result.perSecond.toFixed(0)}/s, p99 ${result.p99Ms.toFixed(1)} ms, longest ${result.maxMs.toFixed(0)} ms`,
  )
  return result
}

function longestDelayMs(output: string): number {
  return Math.max(0, ...[...output.matchAll(/^LOOP (.*)$/gm)].map(([, ms]) => Number(ms)))
}
