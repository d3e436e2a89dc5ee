// In charge of requests a second: the service, a bare node:http server with the same bytes, and nginx with a
// static file, by turns on one core, under a mix of filters and under filters that never repeat.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalogue } from './catalogues.ts'
import { applyLoad, connections, type LoadResult, medianOf } from './load.ts'
import { type Nginx, startNginx } from './nginx.ts'
import { BenchProcess } from './processes.ts'
import { randomFrom } from './random.ts'
import { Recorder } from './recording.ts'
import { atLeast, atMost, type Figure, tellStep } from './report.ts'
import { type Combination, drawCombination, drawDistinct, pathOf, type Source } from './requests.ts'
import { askAll, readMetric, type Serving, startServing } from './serving-process.ts'

export interface ThroughputPlan {
  readonly label: string
  readonly catalogue: Catalogue
  readonly source: Source
  readonly runDir: string
  readonly rounds: number
  readonly seconds: number
  readonly targets: { readonly mix?: number; readonly distinct?: number; readonly memory?: number }
  readonly parts: ReadonlySet<'mix' | 'distinct'>
}

interface Prepared {
  readonly pathsFile: string
  readonly paths: number
  readonly recording: string
  readonly medianBody: Buffer
  readonly about: string
}

interface Contender {
  readonly name: string
  readonly url: string
  readonly process: BenchProcess
  readonly pathsFile: string
  /** Set where no path may be asked for twice: how many there are, and how many have been used. */
  readonly once?: { readonly paths: number; used: number }
}

const mixPaths = 20_000
/** Answers that stand for those to combinations which nobody may have asked before. */
const distinctRecorded = 4_000
/** Where the mix has not been measured: more than a server of node:http answers here. */
const assumedPerSecond = 15_000
/** The list for distinct combinations is longer than the mix's speed would need. */
const spareFactor = 1.5
const warmUpSeconds = 2
/** A server under this load has nothing to wait for. */
const fullShare = 0.9
const perPage = 25
const mixSeed = 11
const distinctSeed = 13
const pageSeed = 17
const lifeMaxMs = 3_600_000
const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

export async function benchThroughput(plan: ThroughputPlan): Promise<Figure[]> {
  const { catalogue, targets, parts, label } = plan
  const figures: Figure[] = []
  const combinations = drawMix(plan)
  const mix = parts.has('mix') ? await prepare(plan, 'mix', combinations, combinations.length) : undefined
  const serving = await startServing(catalogue.directory)
  try {
    const rssReadyBytes = serving.process.rssBytes()
    let fastestPerSecond = assumedPerSecond
    if (mix !== undefined) {
      const { figures: told, perSecond } = await compare(plan, 'mix', serving, mix, targets.mix)
      figures.push(...told)
      fastestPerSecond = perSecond
    }
    if (parts.has('distinct')) {
      const seconds = plan.rounds * (plan.seconds + warmUpSeconds)
      const wanted = distinctRecorded + Math.ceil(seconds * fastestPerSecond * spareFactor)
      const seen = new Set(combinations.map(({ meaning }) => meaning))
      const drawn = drawDistinct(randomFrom(distinctSeed), plan.source, wanted, seen)
      const distinct = await prepare(plan, 'distinct', drawn, distinctRecorded)
      const { figures: told } = await compare(plan, 'distinct', serving, distinct, targets.distinct)
      figures.push(...told)
    }
    const rssLoadedBytes = serving.process.rssBytes()
    const indexBytes = await readMetric(serving.url, 'watchdata_index_bytes')
    const ratio = Math.max(rssReadyBytes, rssLoadedBytes) / catalogue.ndjsonBytes
    figures.push({
      name: `${label}: memory / NDJSON`,
      ...(targets.memory === undefined
        ? { measured: `${ratio.toFixed(2)} ×` }
        : atMost(ratio, targets.memory, '×')),
      details: `RSS ${mb(rssReadyBytes)} ready, ${mb(rssLoadedBytes)} after load; index ${mb(indexBytes)}; NDJSON ${mb(catalogue.ndjsonBytes)}`,
    })
    return figures
  } finally {
    await serving.process.stop()
  }
}

function drawMix({ source }: ThroughputPlan): Combination[] {
  const random = randomFrom(mixSeed)
  return Array.from({ length: mixPaths }, () => drawCombination(random, source))
}

/**
 * Asks a process of its own, so that the measured one has never seen the combinations: for the totals, to
 * choose a page that exists, and for the answers that the bare server will send. Of distinct combinations
 * those recorded are left out of the list.
 */
async function prepare(
  { catalogue, runDir, label }: ThroughputPlan,
  name: 'mix' | 'distinct',
  combinations: readonly Combination[],
  recorded: number,
): Promise<Prepared> {
  const startedMs = performance.now()
  const recording = path.join(runDir, `${label}-${name}`)
  mkdirSync(recording, { recursive: true })
  const asked = await startServing(catalogue.directory)
  try {
    const totals = await readTotals(asked, catalogue, combinations)
    const random = randomFrom(pageSeed)
    const paths = combinations.map((one, index) => pathOf(random, one, totals[index] ?? 0, perPage))
    const recorder = new Recorder(recording)
    await askAll(asked.url, catalogue.key, paths.slice(0, recorded), (answer) => recorder.add(answer))
    const measured = name === 'mix' ? paths : paths.slice(recorded)
    const pathsFile = path.join(recording, 'paths')
    writeFileSync(pathsFile, `${measured.join('\n')}\n`)
    const different = new Set(combinations.map(({ meaning }) => meaning)).size
    const about = `${measured.length} requests, ${different} combinations, median total ${medianOf(totals)}`
    tellStep(
      `${label} ${name}: prepared in ${((performance.now() - startedMs) / 1000).toFixed(0)} s; ${about}`,
    )
    return { pathsFile, paths: measured.length, recording, medianBody: recorder.finish(), about }
  } finally {
    await asked.process.stop()
  }
}

async function readTotals(
  asked: Serving,
  catalogue: Catalogue,
  combinations: readonly Combination[],
): Promise<number[]> {
  const totals: number[] = []
  const paths = combinations.map(({ query }) => `/api/v1/watches?${query}&per_page=1`)
  await askAll(asked.url, catalogue.key, paths, ({ body }, index) => {
    totals[index] = Number(/"total":(\d+)/.exec(body.toString('latin1', body.length - 100))?.[1] ?? 0)
  })
  if (totals.every((total) => total === catalogue.count))
    tellStep('  BEWARE: every total is the whole catalogue; this service ignores filters')
  const empty = totals.filter((total) => total === 0).length
  if (empty > 0) throw new Error(`${empty} combinations taken from the catalogue found nothing in it`)
  return totals
}

async function compare(
  plan: ThroughputPlan,
  name: 'mix' | 'distinct',
  serving: Serving,
  prepared: Prepared,
  target: number | undefined,
): Promise<{ figures: Figure[]; perSecond: number }> {
  const { label, runDir } = plan
  const bare = new BenchProcess([process.execPath, bareServer, prepared.recording], {
    core: 'server',
    maxMs: lifeMaxMs,
  })
  let nginx: Nginx | string | undefined
  try {
    const { pathsFile, paths } = prepared
    const contenders: Contender[] = [
      {
        name: 'service',
        url: serving.url,
        process: serving.process,
        pathsFile,
        ...(name === 'distinct' ? { once: { paths, used: 0 } } : {}),
      },
      { name: 'bare', url: await bare.line(/^http/), process: bare, pathsFile },
    ]
    nginx = await startNginx(path.join(runDir, `nginx-${label}-${name}`), prepared.medianBody)
    if (typeof nginx === 'string') tellStep(`nginx is left out: ${nginx}`)
    else contenders.push({ name: 'nginx', ...nginx })
    const [service = [], bareRuns = [], nginxRuns] = await runRounds(plan, contenders)
    return {
      figures: [
        {
          name: `${label}: ${name}, service / bare`,
          ...atLeast(medianRatio(service, bareRuns), target),
          details: [
            `${medianRatio(service, bareRuns, (run) => run.perCpuSecond).toFixed(2)} by CPU second`,
            tellRuns('service', service),
            tellRuns('bare', bareRuns),
            prepared.about,
          ].join('; '),
        },
        ...(nginxRuns === undefined
          ? []
          : [
              {
                name: `${label}: ${name}, service / nginx`,
                ...atLeast(medianRatio(service, nginxRuns), undefined),
                details: tellRuns('nginx', nginxRuns),
              },
            ]),
      ],
      perSecond: Math.max(...service.map(({ perSecond }) => perSecond)),
    }
  } finally {
    await bare.stop()
    if (typeof nginx === 'object') await nginx.process.stop()
  }
}

/** By turns, so that a machine that grows slower or faster does so for all of them. */
async function runRounds(plan: ThroughputPlan, contenders: readonly Contender[]): Promise<LoadResult[][]> {
  const results: LoadResult[][] = contenders.map(() => [])
  for (let round = 0; round < plan.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      await run(plan, contender, warmUpSeconds)
      const result = await run(plan, contender, plan.seconds)
      results[index]?.push(result)
      tellStep(`  ${tellRuns(contender.name, [result])}`)
      if (result.serverCpuShare < fullShare)
        tellStep('    BEWARE: its core was not its own; what else runs here, or is wrk too slow?')
    }
  }
  return results
}

async function run(
  { catalogue }: ThroughputPlan,
  contender: Contender,
  seconds: number,
): Promise<LoadResult> {
  const { url, process: server, pathsFile, once } = contender
  const { key } = catalogue
  const result = await applyLoad({ url, server, pathsFile, key, seconds, skippedPaths: once?.used ?? 0 })
  if (once !== undefined) {
    once.used += result.requests + connections
    if (once.used > once.paths) throw new Error(`${once.paths} distinct combinations were too few`)
  }
  return result
}

function medianRatio(
  some: readonly LoadResult[],
  others: readonly LoadResult[],
  of = (run: LoadResult) => run.perSecond,
): number {
  return medianOf(some.map((run, round) => of(run) / of(others[round] as LoadResult)))
}

function tellRuns(name: string, runs: readonly LoadResult[]): string {
  const median = (of: (run: LoadResult) => number) => medianOf(runs.map(of))
  return [
    `${name} ${median(({ perSecond }) => perSecond).toFixed(0)}/s`,
    `p50 ${median(({ p50Ms }) => p50Ms).toFixed(1)} ms`,
    `p99 ${median(({ p99Ms }) => p99Ms).toFixed(1)} ms`,
    `${(median(({ answerBytes }) => answerBytes) / 1024).toFixed(1)} KB`,
    `CPU ${(median(({ serverCpuShare }) => serverCpuShare) * 100).toFixed(0)} % (load ${(median(({ loadCpuShare }) => loadCpuShare) * 100).toFixed(0)} %)`,
  ].join(', ')
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
