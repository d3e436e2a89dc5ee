// Collects what an undo leaves as it is, because something changed it after the run: to tell the operator, and to keep it
// in the journal, so that it can be undone later.
import type { BrandRow } from '../brands.ts'
import type { JournalPrice } from './journal.ts'
import type { StagedRun } from './staged-run.ts'

/** Something that the undo leaves. */
export interface Left {
  /** Brand and reference of the watch, or the name of the brand. */
  readonly what: string
  readonly id: number
  readonly why: string
}

const toldMax = 1_000

export class LeftAlone {
  count = 0
  /** The first of them. */
  readonly told: Left[] = []
  /** Brands whose entries stay in the journal. */
  readonly brands: number[] = []
  readonly #staged: StagedRun

  constructor(staged: StagedRun) {
    this.#staged = staged
  }

  watch(step: number, left: Left): void {
    this.#staged.leave([{ step, watchId: left.id }])
    this.#add(left)
  }

  price({ step, watch_id, date }: JournalPrice, what: string, why: string): void {
    this.#staged.leave([{ step, watchId: watch_id, date }])
    this.#add({ what, id: watch_id, why: `its price of ${date} ${why}` })
  }

  brand({ name, id }: BrandRow, why: string): void {
    this.brands.push(id)
    this.#add({ what: name, id, why })
  }

  /** Lines of watches that are not there now, but may be again. */
  keepLines(lines: readonly JournalPrice[]): void {
    this.#staged.leave(lines.map(({ step, watch_id, date }) => ({ step, watchId: watch_id, date })))
  }

  #add(left: Left): void {
    this.count++
    if (this.told.length < toldMax) this.told.push(left)
  }
}
