// In charge of the time that a run may take: which files were the slowest, whether it was within its budget, and when it
// was not, which files have grown since the last release.
import type { FileTime } from './file-times.ts'

export interface RunTime {
  readonly seconds: number
  /** The share of the processors that other programs had; undefined where that is not known. */
  readonly otherLoad: number | undefined
  readonly files: readonly FileTime[]
  /** Those of the last release; empty where none was recorded. */
  readonly released: readonly FileTime[]
}

export const budgetSeconds = 360
const slowestMax = 10
/** Others have a little of every machine. */
const idleMax = 0.1
/** Less than this is chance. */
const grownMin = 1

export function slowestLines(files: readonly FileTime[]): string[] {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestMax)
  return ['slowest files', ...slowest.map(({ file, seconds }) => `${shown(seconds)}  ${file}`)]
}

export function budgetLines(run: RunTime): string[] {
  const time = `time: ${run.seconds.toFixed(0)} s of ${budgetSeconds} s`
  const { otherLoad = 0 } = run
  if (otherLoad > idleMax) {
    return [
      `${time}, on a busy machine: other programs had ${(otherLoad * 100).toFixed(0)} % of the processors`,
    ]
  }
  if (run.seconds <= budgetSeconds) return [time]
  return [`OVER BUDGET, ${time}, on an otherwise idle machine`, ...grownLines(run)]
}

function grownLines({ files, released }: RunTime): string[] {
  if (released.length === 0) return ['No release has recorded its times: npm test -- --record']
  const before = new Map(released.map(({ file, seconds }) => [file, seconds]))
  const grown = files
    .map(({ file, seconds }) => ({ file, more: seconds - (before.get(file) ?? 0), isNew: !before.has(file) }))
    .filter(({ more }) => more >= grownMin)
    .toSorted((a, b) => b.more - a.more)
  if (grown.length === 0) return ['No file has grown since the last release: this machine is slower.']
  return [
    'grown since the last release',
    ...grown.map(({ file, more, isNew }) => `${shown(more, '+')}  ${file}${isNew ? ' (new)' : ''}`),
  ]
}

function shown(seconds: number, sign = ''): string {
  return `${`${sign}${seconds.toFixed(1)}`.padStart(8)} s`
}
