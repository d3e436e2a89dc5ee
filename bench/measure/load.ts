// Applies load with wrk: one thread and 64 connections on the load core, which send the requests of a file in order.
// An error status or a failed connection makes the run fail.
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { obtainBinary } from '../../test/programs/obtain-binary.ts'
import { BenchProcess, cpuTickSeconds } from './processes.ts'

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Mean size of a response, headers included. */
  readonly answerBytes: number
  /** Requests per second of the server's CPU time; not affected by other programs on the machine. */
  readonly perCpuSecond: number
  readonly serverCpuShare: number
  readonly loadCpuShare: number
}

export interface Load {
  readonly url: string
  readonly server: BenchProcess
  /** See request-file.ts. */
  readonly requestsFile: string
  /** How many requests of the file to skip; after its last request, the first one follows. */
  readonly skipped?: number
  /** May be a fraction. */
  readonly seconds: number
}

type WrkResult = Omit<LoadResult, 'perCpuSecond' | 'serverCpuShare' | 'loadCpuShare'>

export const connections = 64
const script = fileURLToPath(new URL('./send-requests.lua', import.meta.url))
const spareMs = 30_000
export const fullShare = 0.9

let wrkPath: string | undefined

export async function applyLoad(load: Load): Promise<LoadResult> {
  const { seconds, server } = load
  const cpuBefore = server.cpuSeconds()
  const wrk = await startWrk(load)
  try {
    // Interrupted before it has read the requests, wrk would end without a result.
    await wrk.line(/^READY$/)
    const shares = await cpuShares(server, wrk, seconds)
    // wrk counts whole seconds.
    if (!Number.isInteger(seconds)) wrk.interrupt()
    const result = readResult(await wrk.end())
    // A fraction of a second can be too short for any response.
    if (result.requests === 0 && seconds < 1) return await applyLoad({ ...load, seconds: seconds * 4 })
    if (result.requests === 0) throw new Error(`${load.url} sent no response within ${seconds} s`)
    const cpuSeconds = Math.max(cpuTickSeconds, server.cpuSeconds() - cpuBefore)
    return { ...result, ...shares, perCpuSecond: result.requests / cpuSeconds }
  } finally {
    await wrk.stop()
  }
}

/** Applies load while `work` runs. One wrk run, because every run begins with a burst of new connections. */
export async function applyLoadDuring(load: Load, work: () => Promise<void>): Promise<WrkResult> {
  const wrk = await startWrk(load)
  try {
    await work()
    wrk.interrupt()
    return readResult(await wrk.end())
  } finally {
    await wrk.stop()
  }
}

async function startWrk(load: Load): Promise<BenchProcess> {
  wrkPath ??= await getWrk()
  const { seconds } = load
  return new BenchProcess(
    [wrkPath, '-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '10s', '-s', script].concat(
      [load.url, '--', load.requestsFile, String(load.skipped ?? 0)],
    ),
    { core: 'load', maxMs: seconds * 1000 + spareMs },
  )
}

async function getWrk(): Promise<string> {
  const wrk = await obtainBinary({ names: ['wrk'] }, 'wrk')
  if (!wrk.found) throw new Error(`This benchmark needs wrk: ${wrk.reason}.`)
  return wrk.path
}

/** Samples the middle of the run: wrk ends a little later than it says. */
async function cpuShares(server: BenchProcess, wrk: BenchProcess, seconds: number) {
  await delay(seconds * 400)
  const [startedMs, serverBefore, wrkBefore] = [performance.now(), server.cpuSeconds(), wrk.cpuSeconds()]
  await delay(seconds * 500)
  const passedSeconds = (performance.now() - startedMs) / 1000
  return {
    serverCpuShare: (server.cpuSeconds() - serverBefore) / passedSeconds,
    loadCpuShare: (wrk.cpuSeconds() - wrkBefore) / passedSeconds,
  }
}

function readResult(output: string): WrkResult {
  const json = /^RESULT (.*)$/m.exec(output)?.[1]
  if (json === undefined) throw new Error(`wrk printed no result: ${output}`)
  const { requests, durationUs, bytes, statusErrors, socketErrors, maxUs, quantilesUs } = JSON.parse(json)
  if (statusErrors + socketErrors > 0) {
    throw new Error(
      `of ${requests} requests ${statusErrors} had an error status, and ${socketErrors} connections failed`,
    )
  }
  return {
    requests,
    perSecond: requests / (durationUs / 1e6),
    p50Ms: quantilesUs[499] / 1000,
    p99Ms: quantilesUs[989] / 1000,
    maxMs: maxUs / 1000,
    answerBytes: bytes / requests,
  }
}

/** Whether the server used less than 90 % of its core. It never idles under load, so another program took the rest. */
export function isDoubtful(...runs: readonly (readonly LoadResult[])[]): boolean {
  return runs.some((some) => medianOf(some.map(({ serverCpuShare }) => serverCpuShare)) < fullShare)
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}
