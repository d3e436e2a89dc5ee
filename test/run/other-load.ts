// In charge of how busy others kept the processors during a run: a late run on a busy machine says nothing of the tests.
// Linux only; elsewhere it is not known.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** What the kernel counts processor time in, on every machine in use. */
const ticksPerSecond = 100
const lookMs = 2_000

interface Process {
  readonly parent: string
  readonly ticks: number
}

/** Looks from now on. The answer ends it: the share of the processors that others had since then, from 0 to 1. */
export function watchOtherLoad(): () => number | undefined {
  const startedMs = performance.now()
  const ours = new Set([String(process.pid)])
  const stolenBefore = readStolen()
  let before = readProcesses()
  let ticks = 0
  // Each time anew: a process of ours whose parent has ended is nobody's child, but is remembered.
  const look = () => {
    const now = readProcesses()
    for (const pid of now.keys()) if (isOurs(pid, now, ours)) ours.add(pid)
    for (const [pid, one] of now) {
      if (!ours.has(pid)) ticks += one.ticks - (before.get(pid)?.ticks ?? one.ticks)
    }
    before = now
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (before.size === 0) return undefined
    look()
    const seconds = (ticks + readStolen() - stolenBefore) / ticksPerSecond
    return seconds / ((performance.now() - startedMs) / 1_000) / availableParallelism()
  }
}

function isOurs(pid: string, all: ReadonlyMap<string, Process>, ours: ReadonlySet<string>): boolean {
  for (let at: string | undefined = pid; at !== undefined; at = all.get(at)?.parent) {
    if (ours.has(at)) return true
  }
  return false
}

function readProcesses(): Map<string, Process> {
  const found = new Map<string, Process>()
  for (const pid of readOr('/proc', []).filter((name) => /^\d+$/.test(name))) {
    const [, parent = '', ...fields] = readStat(`/proc/${pid}/stat`)
    // utime and stime.
    found.set(pid, { parent, ticks: Number(fields[9] ?? 0) + Number(fields[10] ?? 0) })
  }
  return found
}

/** From the third field on: the second, a name, may have spaces and brackets in it. */
function readStat(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    // It has ended since it was listed.
    return []
  }
}

/** What the host of a virtual machine gave to others. */
function readStolen(): number {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/)[8] ?? 0)
  } catch {
    return 0
  }
}

function readOr(directory: string, fallback: string[]): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return fallback
  }
}
