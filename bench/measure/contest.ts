// Runs a contest: several servers take turns on one core under the same load, for several rounds. Computes the ratios
// and median rates of the results.
import { applyLoad, connections, fullShare, type LoadResult, medianOf } from './load.ts'
import type { BenchProcess } from './processes.ts'
import { percent, type Rate, tellStep } from './report.ts'

export interface ContestPlan {
  readonly rounds: number
  readonly seconds: number
  /** Before each turn. 0 for none. */
  readonly warmUpSeconds: number
  /** Before the first turn of a server: longer, for the JIT compiler. */
  readonly firstWarmUpSeconds: number
}

export interface Filling {
  /** How often the service is sent each request before the first turn, so that its caches hold what they can hold. */
  readonly passes: number
  /** At most. */
  readonly passesSeconds: number
}

export interface Contender {
  readonly server: string
  readonly url: string
  readonly process: BenchProcess
  readonly requestsFile: string
  /** Called before each turn of this server. */
  readonly beforeTurn?: () => void
  /** Requests of the file that were sent so far: each turn continues where the last one ended. */
  sent: number
}

/** Short, so that `fillCaches` ends soon after its last pass. */
const passSeconds = 1

/** The servers take turns within each round, so that a machine that slows down affects all of them alike. */
export async function runRounds(
  plan: ContestPlan,
  contest: string,
  contenders: readonly Contender[],
): Promise<LoadResult[][]> {
  const results: LoadResult[][] = contenders.map(() => [])
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const warmUpSeconds = round === 1 ? plan.firstWarmUpSeconds : plan.warmUpSeconds
      contender.beforeTurn?.()
      if (warmUpSeconds > 0) await run(contender, warmUpSeconds)
      const result = await run(contender, plan.seconds)
      results[index]?.push(result)
      tellStep(`  ${contest}, round ${round}: ${contender.server} ${result.perSecond.toFixed(0)}/s`)
      if (result.serverCpuShare < fullShare)
        tellStep(
          `    WARNING: it used ${percent(result.serverCpuShare)} of its core, and wrk ${percent(result.loadCpuShare)}`,
        )
    }
  }
  return results
}

/** Sends each of the requests several times, as far as the time suffices. Returns how often each was sent. */
export async function fillCaches(
  { passes, passesSeconds }: Filling,
  contender: Contender,
  requests: number,
): Promise<number> {
  const endMs = performance.now() + passesSeconds * 1_000
  while (contender.sent < passes * requests && performance.now() < endMs) await run(contender, passSeconds)
  return contender.sent / requests
}

async function run(contender: Contender, seconds: number): Promise<LoadResult> {
  const { url, process: server, requestsFile, sent } = contender
  const result = await applyLoad({ url, server, requestsFile, seconds, skipped: sent })
  // Adds the requests in flight at the end, and the few that wrk generates to check the script.
  contender.sent += result.requests + 2 * connections
  return result
}

export function medianRatio(
  some: readonly LoadResult[],
  others: readonly LoadResult[],
  of: 'perSecond' | 'perCpuSecond' = 'perSecond',
): number {
  return medianOf(some.map((result, round) => result[of] / (others[round]?.[of] ?? Number.NaN)))
}

export function rateOf(contest: string, server: string, runs: readonly LoadResult[]): Rate {
  const median = (of: (result: LoadResult) => number) => medianOf(runs.map(of))
  return {
    contest,
    server,
    perSecond: median((result) => result.perSecond),
    p50Ms: median((result) => result.p50Ms),
    p99Ms: median((result) => result.p99Ms),
    answerBytes: median((result) => result.answerBytes),
    serverCpu: percent(median((result) => result.serverCpuShare)),
    loadCpu: percent(median((result) => result.loadCpuShare)),
  }
}
