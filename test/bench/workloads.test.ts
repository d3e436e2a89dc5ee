// Runs every workload of the benchmark for a moment, so that the benchmark keeps working. How fast the service is does
// not matter here.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { workloads } from '../../bench/workloads/all.ts'
import { packageRoot } from '../../src/config.ts'
import { obtainBinary } from '../programs/obtain-binary.ts'
import { canPin } from './can-pin.ts'

const wrk = await obtainBinary({ names: ['wrk'] }, 'wrk')
const missing = wrk.found
  ? canPin
    ? ''
    : ' (skipped: needs Linux and two cores)'
  : ` (skipped: ${wrk.reason})`
if (missing !== '') process.stderr.write(`the benchmark of the workloads${missing}\n`)

describe.skipIf(missing !== '')(`the benchmark of the workloads${missing}`, () => {
  test('runs every workload and reports every figure', async () => {
    const child = spawn(process.execPath, ['bench/bench.ts', 'workloads', '--smoke'], { cwd: packageRoot })
    const [report, steps] = await Promise.all([text(child.stdout), text(child.stderr)])
    // An unexpected status or a failed connection ends the run with an error.
    expect(steps).not.toMatch(/^\s*\w*Error:/m)
    for (const { name } of workloads) {
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
