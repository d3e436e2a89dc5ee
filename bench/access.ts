// `npm run bench -- access`: measures the share of a list request that authentication and the quota charge take
// (counted in memory and in Redis), and the share of the request log. Each is compared with the same process with
// that step switched off.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../test/programs/free-port.ts'
import { obtainBinary } from '../test/programs/obtain-binary.ts'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { type Contender, medianRatio, rateOf, runRounds } from './measure/contest.ts'
import { drawMix } from './measure/draw-mix.ts'
import { isDoubtful, type LoadResult } from './measure/load.ts'
import { BenchProcess } from './measure/processes.ts'
import { type Figure, printReport } from './measure/report.ts'
import { writeRequests } from './measure/request-file.ts'
import { sourceOf } from './measure/requests.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { type Serving, startServing } from './measure/serving-process.ts'
import { curl } from './workloads/clients.ts'
import { listPath } from './workloads/workload.ts'

const count = 100_000
const mixRequests = 20_000
const plan = { rounds: 5, seconds: 5, warmUpSeconds: 2, firstWarmUpSeconds: 15 }
const lifeMaxMs = 3_600_000
const switchSignal = 'SIGUSR2'

/** A step of the request that the measured process can switch off. */
interface Measured {
  readonly name: string
  /** Name of the process with the step switched off. */
  readonly without: string
  /** Module that is preloaded into the process to switch the step off and on. */
  readonly file: URL
  readonly env?: Record<string, string>
}

const openToAll = { without: 'open to all', file: new URL('./measure/without-access.ts', import.meta.url) }
const inMemory = { name: 'authentication and charge, counted in memory', ...openToAll }
const inRedis = { name: 'authentication and charge, counted in Redis', ...openToAll }
const log: Measured = {
  name: 'the log of requests',
  without: 'without',
  file: new URL('./measure/without-log.ts', import.meta.url),
}

export async function benchAccess(flags: readonly string[]): Promise<void> {
  const runDir = openRunDirectory()
  const catalogue = await provideCatalogue(count, runDir, flags.includes('--keep'))
  const requestsFile = await writeMix(catalogue, runDir)
  const redis = await startRedis(runDir)
  const started: Serving[] = []
  /**
   * Starts one process that takes part twice: with the step and without it. Two processes of the same code would differ
   * by more than the step costs.
   */
  const startBoth = async ({ name, without, file, env = {} }: Measured): Promise<Contender[]> => {
    const nodeFlags = ['--import', fileURLToPath(file)]
    const serving = await startServing(catalogue.directory, { env, nodeFlags })
    started.push(serving)
    const { url, process: own } = serving
    const both = { url, process: own, requestsFile, sent: 0, beforeTurn: () => own.signal(switchSignal) }
    return [
      { ...both, server: `${without} (${name})` },
      { ...both, server: name },
    ]
  }
  try {
    const contenders = await startBoth(log)
    if (!flags.includes('--log')) {
      contenders.push(...(await startBoth(inMemory)))
      if (redis !== undefined) {
        contenders.push(...(await startBoth({ ...inRedis, env: { REDIS_URL: redis.url } })))
      }
    }
    const results = await runRounds(plan, 'access', contenders)
    const figures: Figure[] = []
    for (let at = 1; at < contenders.length; at += 2) {
      figures.push(figureOf(contenders[at]?.server ?? '', results[at] ?? [], results[at - 1] ?? []))
    }
    const rates = contenders.map(({ server }, at) => rateOf('access', server, results[at] ?? []))
    if (!printReport(figures, rates)) process.exitCode = 1
  } finally {
    await Promise.all([...started, ...(redis === undefined ? [] : [redis])].map((one) => one.process.stop()))
  }
}

async function writeMix(catalogue: Catalogue, runDir: string): Promise<string> {
  const asked = await startServing(catalogue.directory)
  try {
    const mix = await drawMix(asked.url, catalogue, await sourceOf(count), mixRequests)
    const file = path.join(runDir, 'requests')
    const lines = mix.map(({ query }) => ({ path: `${listPath}?${query}` }))
    writeRequests(file, curl(catalogue.key), lines)
    return file
  } finally {
    await asked.process.stop()
  }
}

function figureOf(name: string, runs: readonly LoadResult[], open: readonly LoadResult[]): Figure {
  const share = 1 - medianRatio(runs, open)
  const byCpu = 1 - medianRatio(runs, open, 'perCpuSecond')
  return {
    name: `${name}: share of the request`,
    measured: `${(share * 100).toFixed(1)} %`,
    isDoubtful: isDoubtful(runs, open),
    details: `${(byCpu * 100).toFixed(1)} % by CPU second of the service`,
  }
}

/** Starts Redis on the load core, because in production it would run on another machine. */
async function startRedis(runDir: string): Promise<{ process: BenchProcess; url: string } | undefined> {
  const binary = await obtainBinary({ names: ['redis-server', 'valkey-server'] }, 'redis-server')
  if (!binary.found) {
    process.stderr.write(`Redis is skipped: ${binary.reason}\n`)
    return undefined
  }
  const port = await findFreePort()
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', runDir]
  const redis = new BenchProcess([binary.path, ...address], { core: 'load', maxMs: lifeMaxMs })
  await redis.line(/Ready to accept connections/)
  return { process: redis, url: `redis://127.0.0.1:${port}` }
}
