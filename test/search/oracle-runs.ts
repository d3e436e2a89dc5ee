// Chooses how long the comparisons with the naive list run: few catalogues in every test run, more at night.
// WATCHDATA_ORACLE_RUNS multiplies the number.
import { runs } from '../depth.ts'

const times = Number(process.env.WATCHDATA_ORACLE_RUNS ?? 1)

export const oracleRuns = {
  catalogues: Math.ceil(runs(20, 40) * times),
  histories: Math.ceil(runs(6, 12) * times),
  timeoutMs: Math.ceil(60_000 * Math.max(1, times)),
} as const

/** Limits the run, so that shrinking a failure ends before the test's timeout and the failure is reported. */
export function runsOf(numRuns: number) {
  return { numRuns, interruptAfterTimeLimit: oracleRuns.timeoutMs / 2, markInterruptAsFailure: true }
}
