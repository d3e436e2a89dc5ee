// In charge of how busy others kept the processors during a run: a late run on a busy machine says nothing of the tests.
// Linux only; elsewhere it is not known.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

interface Ticks {
  readonly busy: number
  /** Of this process and of all of its children that have ended. */
  readonly own: number
  readonly atMs: number
}

/** What the kernel counts processor time in, on every machine in use. */
const ticksPerSecond = 100

/** Begins to look. The answer is the share of the processors that others had since then, from 0 to 1. */
export function watchOtherLoad(): () => number | undefined {
  const start = readTicks()
  return () => {
    const end = readTicks()
    if (start === undefined || end === undefined) return undefined
    const all = ((end.atMs - start.atMs) / 1_000) * ticksPerSecond * availableParallelism()
    return Math.max(0, (end.busy - start.busy - (end.own - start.own)) / all)
  }
}

function readTicks(): Ticks | undefined {
  try {
    const [, ...counts] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? []
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = counts.map(Number)
    // After the name, which may have spaces: utime, stime, cutime and cstime are the 12th to the 15th.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
    return { busy: user + nice + system + irq + softirq + steal, own, atMs: performance.now() }
  } catch {
    return undefined
  }
}
