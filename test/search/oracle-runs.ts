// In charge of how long the comparisons run: briefly with every test run, longer at night, as long as wished by
// WATCHDATA_ORACLE_RUNS, which multiplies the number of catalogues.
import { runs } from '../depth.ts'

const times = Number(process.env.WATCHDATA_ORACLE_RUNS ?? 1)

export const oracleRuns = {
  catalogues: Math.ceil(runs(20, 40) * times),
  histories: Math.ceil(runs(6, 12) * times),
  timeoutMs: Math.ceil(60_000 * Math.max(1, times)),
} as const

/** Shrinking ends in time to be told of. */
export function runsOf(numRuns: number) {
  return { numRuns, interruptAfterTimeLimit: oracleRuns.timeoutMs / 2, markInterruptAsFailure: true }
}
