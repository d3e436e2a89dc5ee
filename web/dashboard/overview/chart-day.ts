// One day of the usage chart.
import type { ClassCounts } from './status-classes.ts'

export interface ChartDay {
  /** The UTC date: `2026-03-01`. */
  readonly date: string
  readonly used: number
  readonly counts: ClassCounts
}
