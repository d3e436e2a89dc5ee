// In charge of what a benchmark tells: its figures beside their targets as a Markdown table, and the machine
// they are of.
import { cpus, totalmem } from 'node:os'

export interface Figure {
  readonly name: string
  /** Already with its unit. */
  readonly measured: string
  readonly target?: string
  /** Undefined where there is nothing to reach. */
  readonly isMet?: boolean
  readonly details?: string
}

export function atLeast(
  ratio: number,
  target: number | undefined,
): Pick<Figure, 'measured' | 'target' | 'isMet'> {
  const measured = ratio.toFixed(2)
  return target === undefined ? { measured } : { measured, target: `≥ ${target}`, isMet: ratio >= target }
}

export function atMost(
  value: number,
  target: number,
  unit: string,
): Pick<Figure, 'measured' | 'target' | 'isMet'> {
  return { measured: `${value.toFixed(2)} ${unit}`, target: `≤ ${target} ${unit}`, isMet: value <= target }
}

/** Prints the table; false when a target was missed. */
export function printReport(figures: readonly Figure[]): boolean {
  const rows = figures.map(({ name, measured, target = '', isMet, details = '' }) => {
    const mark = isMet === undefined ? '' : isMet ? '✓' : '✗'
    return [name, measured, target, mark, details]
  })
  const table = [['figure', 'measured', 'target', '', 'details'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(3, ...table.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const [head = [], ...body] = table.map(line)
  const rule = line(widths.map((width) => '-'.repeat(width)))
  process.stdout.write(`\n${machine()}\n\n${head}${rule}${body.join('')}`)
  return figures.every(({ isMet }) => isMet !== false)
}

export function tellStep(text: string): void {
  process.stderr.write(`${text}\n`)
}

function machine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown CPU'
  const memoryGb = Math.round(totalmem() / 1024 ** 3)
  return `${model} (${process.platform} ${process.arch}), ${cpus().length} cores, ${memoryGb} GB, Node ${process.version.slice(1)}`
}
