// In charge of what a benchmark tells: its figures beside their targets and the rates they come from, as
// Markdown tables, and the machine they are of.
import { cpus, totalmem } from 'node:os'

export interface Figure {
  readonly name: string
  /** Already with its unit. */
  readonly measured: string
  readonly target?: string
  /** Undefined where there is nothing to reach. */
  readonly isMet?: boolean
  /** Another program took the server's core meanwhile: neither met nor missed. */
  readonly isDoubtful?: boolean
  readonly details?: string
}

/** How fast one server was in one contest: medians of its rounds. */
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

/** Prints the tables; false when a target was missed, or cannot be said to be met. */
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
    process.stdout.write(
      '\n?: something else ran on the core of the server; measure again when it is quiet.\n',
    )
  return figures.every(({ isMet, isDoubtful = false }) => isMet === undefined || (isMet && !isDoubtful))
}

export function tellStep(text: string): void {
  process.stderr.write(`${text}\n`)
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
