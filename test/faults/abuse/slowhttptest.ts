// Attacks by slowhttptest, a program that others wrote, in all four of its modes: slow headers, slow bodies, ranges of a
// thousand pieces, slow reading. Where it is not installed, each says that it was skipped.
import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { readMetric } from '../../../bench/measure/serving-process.ts'
import { findBinary } from '../../programs/binaries.ts'
import { type Attack, otherConnections, slowMaxMs, type Target, type Told } from './attack.ts'

const connections = 1_000
const openedPerSecond = 200

const modes: Readonly<Record<string, readonly string[]>> = {
  'slow headers': ['-H', '-i', '5'],
  'slow bodies': ['-B', '-i', '5'],
  'ranges of a thousand pieces': ['-R'],
  // Small windows, and 32 bytes every five seconds, of three pipelined responses.
  'slow reading': ['-X', '-w', '10', '-y', '20', '-n', '5', '-z', '32', '-k', '3'],
}

export const slowhttptestAttacks: readonly Attack[] = Object.entries(modes).map(([what, flags]) => ({
  name: `slowhttptest, ${what}, ${connections} connections`,
  run: (target) => run(target, flags),
}))

async function run({ url, address }: Target, flags: readonly string[]): Promise<Told> {
  const binary = findBinary({ names: ['slowhttptest'] })
  if (binary === undefined) return { reached: 'SKIPPED, slowhttptest is not installed' }
  const openingMs = (connections / openedPerSecond) * 1_000
  const seconds = String((openingMs + 2 * slowMaxMs) / 1_000)
  const load = ['-c', String(connections), '-r', String(openedPerSecond), '-l', seconds]
  const child = spawn(binary, [...flags, ...load, '-u', `${url}/docs/reference`], { stdio: 'ignore' })
  await delay(openingMs)
  const most = await readMetric(url, 'watchdata_connections', address)
  await delay(slowMaxMs)
  const left = (await readMetric(url, 'watchdata_connections', address)) - otherConnections
  child.kill()
  const reached = `${most} connections were open, and ${Math.max(0, left)} were left after 15 s`
  return left <= 0 ? { reached } : { reached, broken: 'slow connections are cut within 15 s' }
}
