// Prints the report of a benchmark as Markdown tables: the figures with their targets, the rates behind them, and the
// machine.
import { cpus, totalmem } from 'node:os'

export interface Figure {
  readonly name: string
  /** The value as text, with its unit. */
  readonly measured: string
  readonly target?: string
  /** Undefined when the figure has no target. */
  readonly isMet?: boolean
  /** Another program used the server's core during the run, so the figure is not reliable. */
  readonly isDoubtful?: boolean
  readonly details?: string
}

/** The rate of one server in one contest: medians of its rounds. */
export interface Rate {
  readonly contest: string
  readonly server: string
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly answerBytes: number
  readonly serverCpu: string
  readonly loadCpu: string
}

type Measured = Pick<Figure, 'measured' | 'target' | 'isMet'>

export function atLeast(ratio: number, target: number | undefined): Measured {
  const measured = ratio.toFixed(2)
  return target === undefined ? { measured } : { measured, target: `≥ ${target}`, isMet: ratio >= target }
}

export function atMost(value: number, target: number | undefined, unit: string): Measured {
  const measured = `${value.toFixed(2)} ${unit}`
  return target === undefined
    ? { measured }
    : { measured, target: `≤ ${target} ${unit}`, isMet: value <= target }
}

/** Prints the tables. Returns false if a target was missed, or a figure with a target is doubtful. */
export function printReport(figures: readonly Figure[], rates: readonly Rate[]): boolean {
  const figureRows = figures.map((figure) => {
    const { name, measured, target = '', details = '' } = figure
    return [name, measured, target, markOf(figure), details]
  })
  const rateRows = rates.map((rate) => [
    rate.contest,
    rate.server,
    rate.perSecond.toFixed(0),
    rate.p50Ms.toFixed(1),
    rate.p99Ms.toFixed(1),
    (rate.answerBytes / 1024).toFixed(1),
    rate.serverCpu,
    rate.loadCpu,
  ])
  const rateHead = ['contest', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'KB', 'CPU', 'CPU of the load']
  process.stdout.write(
    `\n${machine()}\n\n${table(['figure', 'measured', 'target', '', 'details'], figureRows)}`,
  )
  if (rates.length > 0) process.stdout.write(`\n${table(rateHead, rateRows)}`)
  if (figures.some(({ isDoubtful }) => isDoubtful))
    process.stdout.write('\n?: another program used the core of the server; run again on an idle machine.\n')
  return figures.every(({ isMet, isDoubtful = false }) => isMet === undefined || (isMet && !isDoubtful))
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

export function tellStep(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Tells a warning if there is a reason for it; returns whether there is. */
export function warnIf(isTrue: boolean | undefined, text: string): boolean {
  if (isTrue) tellStep(`    WARNING: ${text}`)
  return isTrue === true
}

function markOf({ isMet, isDoubtful = false }: Figure): string {
  if (isMet === undefined) return ''
  return (isMet ? '✓' : '✗') + (isDoubtful ? ' ?' : '')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}

function machine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown CPU'
  const memoryGb = Math.round(totalmem() / 1024 ** 3)
  return `${model} (${process.platform} ${process.arch}), ${cpus().length} cores, ${memoryGb} GB, Node ${process.version.slice(1)}`
}
