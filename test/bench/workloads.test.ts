// Runs a workload of the benchmark for a moment, at night all of them, so that the benchmark keeps working. How
// fast the service is does not matter here.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { workloads } from '../../bench/workloads/all.ts'
import { packageRoot } from '../../src/config.ts'
import { isNightly } from '../depth.ts'
import { findBinary } from '../programs/binaries.ts'
import { obtainBinary } from '../programs/obtain-binary.ts'

/** What most clients ask for. The others run only at night: one that breaks is found a day later. */
const everyTime = ['list-gzip']
const names = workloads.map(({ name }) => name).filter((name) => isNightly || everyTime.includes(name))

/** Why the benchmark cannot run here: it needs wrk, and a core each for the server and the load. */
const missing = await findMissing()
if (missing !== undefined) process.stderr.write(`The benchmark of the workloads is skipped: ${missing}.\n`)

describe.skipIf(missing !== undefined)('the benchmark of the workloads', () => {
  test(`runs ${names.join(', ')} (at night all of ${workloads.length}) and reports every figure`, async () => {
    expect(names.length).toBeGreaterThanOrEqual(everyTime.length)
    const args = ['bench/bench.ts', 'workloads', '--smoke', '--only', names.join()]
    const child = spawn(process.execPath, args, { cwd: packageRoot })
    const [report, steps] = await Promise.all([text(child.stdout), text(child.stderr)])
    // An unexpected status or a failed connection ends the run with an error.
    expect(steps).not.toMatch(/^\s*\w*Error:/m)
    for (const name of names) {
      expect(report).toMatch(
        new RegExp(`^\\| 300 ${name}: service / bare node:http +\\| \\d+\\.\\d\\d `, 'm'),
      )
      expect(report).toMatch(
        new RegExp(`^\\| 300 ${name}: p99 / p50 at 70 % of capacity +\\| \\d+\\.\\d\\d × `, 'm'),
      )
      for (const server of ['service', 'bare node:http'])
        expect(report).toMatch(new RegExp(`^\\| 300 ${name} +\\| ${server} +\\| [1-9]`, 'm'))
    }
    expect(report).toMatch(/^\| 300: memory after load \/ NDJSON +\| \d/m)
    expect(report).not.toMatch(/NaN|Infinity|undefined/)
  })
})

async function findMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux' || availableParallelism() < 2) return 'it needs Linux and two cores'
  if (findBinary({ names: ['taskset'] }) === undefined) return 'it needs taskset'
  const wrk = await obtainBinary({ names: ['wrk'] }, 'wrk')
  return wrk.found ? undefined : wrk.reason
}
