// What the steps of an undo share.
import type { Reader } from '../../storage/database.ts'
import type { BrandFinder } from '../find-brand.ts'
import type { Journal } from './journal.ts'
import type { LaterRuns } from './later-runs.ts'
import type { LeftAlone } from './left-alone.ts'
import type { StagedRun } from './staged-run.ts'

export interface UndoCounts {
  /** Watches that have again what they had before. */
  restored: number
  /** Watches that the run created, and that are deleted again. */
  deleted: number
  /** Watches that the run deleted, and that are there again. */
  recreated: number
  /** Lines of the price history. */
  prices: number
  brands: number
  /** Brands that the run created, and that stay because watches are of them. */
  brands_kept: number
}

/** An undo under way. */
export interface Undoing {
  readonly runId: number
  /** When the run began that is undone. */
  readonly startedAt: string
  readonly reader: Reader
  readonly staged: StagedRun
  readonly journal: Journal
  readonly brands: BrandFinder
  readonly later: LaterRuns
  readonly left: LeftAlone
  /** Later imports of prices that have said the same prices as the run, which therefore stay. */
  readonly sayingRuns: Set<number>
  readonly counts: UndoCounts
}
