// Runs a contest: several servers take turns on one core under the same load, for several rounds. Computes the ratios
// and median rates of the results.
import { applyLoad, connections, fullShare, type LoadResult, medianOf } from './load.ts'
import type { BenchProcess } from './processes.ts'
import { type Rate, tellStep } from './report.ts'

export interface ContestPlan {
  readonly rounds: number
  readonly seconds: number
  readonly key: string
}

export interface Contender {
  readonly server: string
  readonly url: string
  readonly process: BenchProcess
  readonly pathsFile: string
  /** Called before each turn of this server. */
  readonly beforeTurn?: () => void
  /** Set when no path may be requested twice: how many paths there are, and how many have been used. */
  readonly once?: { readonly paths: number; used: number }
}

const firstWarmUpSeconds = 15
export const warmUpSeconds = 2

/** The servers take turns within each round, so that a machine that slows down affects all of them alike. */
export async function runRounds(
  plan: ContestPlan,
  contest: string,
  contenders: readonly Contender[],
): Promise<LoadResult[][]> {
  const results: LoadResult[][] = contenders.map(() => [])
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      // The first warm-up is longer, for the JIT compiler. A contest without repeated paths follows the mix, which has
      // already warmed the server up.
      const isCold = round === 1 && contender.once === undefined
      contender.beforeTurn?.()
      await run(plan, contender, isCold ? firstWarmUpSeconds : warmUpSeconds)
      const result = await run(plan, contender, plan.seconds)
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

async function run({ key }: ContestPlan, contender: Contender, seconds: number): Promise<LoadResult> {
  const { url, process: server, pathsFile, once } = contender
  const result = await applyLoad({ url, server, pathsFile, key, seconds, skippedPaths: once?.used ?? 0 })
  if (once !== undefined) {
    // Adds the requests in flight at the end, and the few that wrk generates to check the script.
    once.used += result.requests + 2 * connections
    if (once.used > once.paths) throw new Error(`${once.paths} distinct combinations were too few`)
  }
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

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
