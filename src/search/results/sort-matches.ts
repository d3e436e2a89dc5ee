// Sorts the matches of a list and returns one page. Sets are already in order of id, so a page by id is selected by
// rank. For the other orders, the steps of the order tell near which position the page begins; from there the members
// are picked out of the order. So no page takes longer than a walk over a few parts of the order.
import type { OrderedColumn } from '../index/columns.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { SortField } from '../query/watch-query.ts'
import type { Slots } from '../sets/slots.ts'
import { pageOf, type WatchSet } from '../sets/watch-set.ts'
import type { Matches } from './find-matches.ts'
import { OrderedPage } from './ordered-page.ts'

/** The column of each field that lists are sorted by. */
export const orderedColumns: Readonly<Record<Exclude<SortField, 'id' | 'relevance'>, OrderedColumn>> = {
  brand: 'brand',
  retail_price_usd: 'retail',
  current_market_price: 'market',
  updated_at: 'updatedAt',
}

/** Up to this many members are sorted: faster than picking them out of the order. */
const sortedMax = 256

/** Returns the ordinals of the page that begins at `start`, which must be within the matches. */
export function sortMatches(
  index: WatchIndex,
  { name, set }: Matches,
  { by, descending }: { readonly by: Exclude<SortField, 'relevance'>; readonly descending: boolean },
  start: number,
  length: number,
): Uint32Array {
  const { slots } = index.postings
  const count = Math.min(length, set.count - start)
  if (by === 'id') {
    if (!descending) return pageOf(slots, set, start, count)
    return pageOf(slots, set, set.count - start - count, count).toReversed()
  }
  const order = index.columns.order(orderedColumns[by])
  const direction = descending ? -1 : 1
  if (set.count <= sortedMax) {
    const members = pageOf(slots, set, 0, set.count)
    return members
      .toSorted((one, other) => order.compare(one, other, direction))
      .subarray(start, start + count)
  }
  if (name === '') return new OrderedPage(slots, order, undefined, count).fill(start, descending)
  return withBits(slots, set, (bits) => new OrderedPage(slots, order, bits, count).fill(start, descending))
}

/** Calls `work` with the set as a bitmap, in a temporary slot if the set is sparse. */
function withBits<T>(slots: Slots, set: WatchSet, work: (bits: number) => T): T {
  if (set.slot !== undefined) return work(set.slot)
  const bits = slots.allocate()
  try {
    slots.mark(bits, set.ordinals, true)
    return work(bits)
  } finally {
    slots.free(bits)
  }
}
