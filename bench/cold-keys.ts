// `npm run bench -- cold-keys`: sends one request with each of many keys that the process has not seen yet, counted in
// Redis with PostgreSQL behind it, and compares the rate with that of one key that is in use. With `--keys`.
import path from 'node:path'
import { addAccounts } from '../test/faults/drill-accounts.ts'
import { parseFlags } from '../test/faults/flags.ts'
import { startPostgres } from '../test/programs/postgres.ts'
import type { MissingProgram, StartedProgram } from '../test/programs/program.ts'
import { startRedis } from '../test/programs/redis.ts'
import { applyLoad, type LoadResult } from './measure/load.ts'
import { printReport, tellStep } from './measure/report.ts'
import { writeRequests } from './measure/request-file.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { type Serving, startServing } from './measure/serving-process.ts'
import { listPath } from './workloads/workload.ts'

const defaults = { keys: 20_000 }
const targetPerSecond = 5_000
/** Short enough that no key is used twice, up to 8,000 requests a second. */
const seconds = 2.5
const [warmUpSeconds, hotSeconds] = [5, 5]
/** As many keys are used before, until all code is compiled: also that which writes to the database every five seconds. */
const coldWarmUpSeconds = 4

export async function benchColdKeys(flags: readonly string[]): Promise<void> {
  const { keys: count } = parseFlags([...flags], defaults).numbers
  const runDir = openRunDirectory()
  const postgres = getProgram(await startPostgres({ durable: true }))
  const redis = getProgram(await startRedis())
  const env = { DATABASE_URL: postgres.address, REDIS_URL: redis.address, SAMPLE_CATALOGUE: 'true' }
  try {
    const serving = await startServing(runDir, { env })
    try {
      tellStep(`creating ${count} accounts`)
      const [hot = '', ...cold] = await addAccounts(
        { ...env, DATA_DIR: runDir },
        Array.from({ length: 1 + 2 * count }, () => 'platinum' as const),
      )
      const load = (name: string, keys: readonly string[], loadSeconds: number) =>
        applyKeys(serving, path.join(runDir, name), keys, loadSeconds)
      await load('warm-up', [hot], warmUpSeconds)
      const ofOne = await load('hot', [hot], hotSeconds)
      await load('cold-warm-up', cold.slice(count), coldWarmUpSeconds)
      const ofMany = await load('cold', cold.slice(0, count), seconds)
      report(count, ofOne, ofMany)
    } finally {
      await serving.process.stop()
    }
  } finally {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

function applyKeys(
  { url, process: server }: Serving,
  file: string,
  keys: readonly string[],
  loadSeconds: number,
): Promise<LoadResult> {
  writeRequests(
    file,
    { Accept: '*/*' },
    keys.map((key) => ({ path: `${listPath}?per_page=1`, key })),
  )
  return applyLoad({ url, server, requestsFile: file, seconds: loadSeconds })
}

function report(count: number, hot: LoadResult, cold: LoadResult): void {
  if (cold.requests > count) throw new Error(`${count} keys are too few: ${cold.requests} requests were sent`)
  const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')} requests/s`
  const figures = [
    {
      name: `${cold.requests} keys, each used for the first time`,
      measured: perSecond(cold.perSecond),
      target: `at least ${perSecond(targetPerSecond)}`,
      isMet: cold.perSecond >= targetPerSecond,
      details: `p99 ${cold.p99Ms.toFixed(0)} ms; ${Math.round(cold.perCpuSecond)} per CPU second of the service`,
    },
    {
      name: 'one key in use',
      measured: perSecond(hot.perSecond),
      details: `p99 ${hot.p99Ms.toFixed(0)} ms; new keys: ${(cold.perSecond / hot.perSecond).toFixed(2)} × that`,
    },
  ]
  if (!printReport(figures, [])) process.exitCode = 1
}

function getProgram(program: StartedProgram | MissingProgram): StartedProgram {
  if (!program.available) throw new Error(`This benchmark needs ${program.name}: ${program.reason}.`)
  return program
}
