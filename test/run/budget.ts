// Compares the time of a test run with its budget: lists the slowest files and, if the run was over budget, the files
// that have become slower since the last release.
import type { FileTime } from './file-times.ts'

export interface RunTime {
  readonly seconds: number
  /** The share of CPU time that other programs used; undefined if unknown. */
  readonly otherLoad: number | undefined
  readonly files: readonly FileTime[]
  /** The times recorded at the last release; empty if none were recorded. */
  readonly released: readonly FileTime[]
}

export const budgetSeconds = 360
const slowestMax = 10
/** Some background load is normal on every machine. */
const idleMax = 0.1
/** An increase below either limit, in seconds and as a share of the expected time, is noise. */
const grownMin = 1
const grownShareMin = 0.3
const grownMax = 10
/** Files that took fewer seconds than this are too short to measure the speed of a machine. */
const paceMin = 1

export function slowestLines(files: readonly FileTime[]): string[] {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestMax)
  return ['slowest files', ...slowest.map(({ file, seconds }) => `${shown(seconds)}  ${file}`)]
}

export function budgetLines(run: RunTime): string[] {
  const time = `time: ${run.seconds.toFixed(0)} s of ${budgetSeconds} s`
  if (isBusy(run.otherLoad)) {
    return [
      `${time}, on a busy machine: other programs had ${(run.otherLoad * 100).toFixed(0)} % of the processors`,
    ]
  }
  if (run.seconds <= budgetSeconds) return [time]
  return [`OVER BUDGET, ${time}, on an otherwise idle machine`, ...grownLines(run)]
}

/** On a busy machine the times say nothing about the tests and are not recorded. */
export function isBusy(otherLoad: number | undefined): otherLoad is number {
  return otherLoad !== undefined && otherLoad > idleMax
}

/** Lists the files that grew by more than the typical change, which is due to the machine. */
function grownLines({ files, released }: RunTime): string[] {
  if (released.length === 0) return ['No release has recorded its times: npm test -- --record']
  const before = new Map(released.map(({ file, seconds }) => [file, seconds]))
  const pace = paceOf(files, before)
  const grown = files
    .map(({ file, seconds }) => {
      const expected = (before.get(file) ?? 0) * pace
      return { file, expected, more: seconds - expected, isNew: !before.has(file) }
    })
    .filter(({ more, expected }) => more >= Math.max(grownMin, expected * grownShareMin))
    .toSorted((a, b) => b.more - a.more)
    .slice(0, grownMax)
  const typical = `a typical file took ${pace.toFixed(1)} times as long as at the last release`
  if (grown.length === 0) return [`No file has grown; ${typical}.`]
  return [
    `grown since the last release; ${typical}`,
    ...grown.map(({ file, more, isNew }) => `${shown(more, '+')}  ${file}${isNew ? ' (new)' : ''}`),
  ]
}

/** The median ratio of a file's time to its time at the last release. */
function paceOf(files: readonly FileTime[], before: ReadonlyMap<string, number>): number {
  const ratios = files
    .map(({ file, seconds }) => ({ seconds, was: before.get(file) ?? 0 }))
    .filter(({ was }) => was >= paceMin)
    .map(({ seconds, was }) => seconds / was)
    .toSorted((a, b) => a - b)
  return ratios[Math.floor(ratios.length / 2)] ?? 1
}

function shown(seconds: number, sign = ''): string {
  return `${`${sign}${seconds.toFixed(1)}`.padStart(8)} s`
}
