// Divides a batch of the change log into slices that are applied one at a time. A watch with several changes in the batch
// is applied once, in its newest state.
import type { Change } from '../../changes/log.ts'

/** A watch or brand that has changed. */
export interface Subject {
  readonly kind: 'watch' | 'brand'
  readonly id: number
  /** The sequence of its first change in the batch. */
  readonly sequence: number
  /** Whether nothing but its prices has changed. */
  isPrice: boolean
}

/** The time to apply a change that may change terms, as a multiple of the time for a new price. */
export const otherCost = 10
/** Slices of one batch: at most this many new prices, or fewer changes of other types. A few milliseconds. */
export const sliceCost = 160

/** Returns the subjects in the order of their first changes. */
export function subjectsOf(batch: Iterable<Change>): Subject[] {
  const known = { watch: new Map<number, Subject>(), brand: new Map<number, Subject>() }
  const subjects: Subject[] = []
  for (const { type, subjectId, sequence } of batch) {
    const kind = type.startsWith('brand.') ? 'brand' : 'watch'
    const isPrice = type === 'watch.price_changed'
    const before = known[kind].get(subjectId)
    if (before === undefined) {
      const subject: Subject = { kind, id: subjectId, sequence, isPrice }
      known[kind].set(subjectId, subject)
      subjects.push(subject)
    } else if (!isPrice) before.isPrice = false
  }
  return subjects
}

/** Returns parts of about the same cost. */
export function slicesOf(subjects: readonly Subject[]): Subject[][] {
  const slices: Subject[][] = []
  let cost = sliceCost
  for (const subject of subjects) {
    if (cost >= sliceCost) {
      slices.push([])
      cost = 0
    }
    slices.at(-1)?.push(subject)
    cost += subject.isPrice ? 1 : otherCost
  }
  return slices
}
