// In charge of how long the comparisons run: briefly with every test run, as long as wished by WATCHDATA_ORACLE_RUNS,
// which multiplies the number of catalogues.

const times = Number(process.env.WATCHDATA_ORACLE_RUNS ?? 1)

export const oracleRuns = {
  catalogues: Math.ceil(40 * times),
  histories: Math.ceil(12 * times),
  timeoutMs: Math.ceil(60_000 * Math.max(1, times)),
} as const

/** Shrinking ends in time to be told of. */
export function runsOf(numRuns: number) {
  return { numRuns, interruptAfterTimeLimit: oracleRuns.timeoutMs / 2, markInterruptAsFailure: true }
}
