// Measures the CPU time that other programs used during a run: a slow run on a busy machine says nothing about the
// tests. Linux only; elsewhere the result is undefined.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The kernel's unit of CPU time, which is the same on every machine in use. */
const ticksPerSecond = 100
const lookMs = 2_000

interface Process {
  readonly parent: string
  readonly ticks: number
}

/** Starts measuring. The returned function stops and returns the CPU share that other programs used, from 0 to 1. */
export function watchOtherLoad(): () => number | undefined {
  const startedMs = performance.now()
  const ours = new Set([String(process.pid)])
  const stolenBefore = readStolen()
  let before = readProcesses()
  let ticks = 0
  // Collect our processes on every sample: one whose parent has ended can no longer be traced to us, but stays in the
  // set.
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

/** Returns the fields from the third on: the second, the program's name, may contain spaces and brackets. */
function readStat(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    // The process has ended since it was listed.
    return []
  }
}

/** Steal time: what the host of a virtual machine gave to other guests. */
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
