// In charge of the order of a list. By id a set is in order already, and a page is found by its rank; for the other
// orders the members are lined up once and remembered, so that a deep page costs no more than the first.
import type { OrderedColumn } from './columns.ts'
import type { Matches } from './find-matches.ts'
import type { WatchIndex } from './watch-index.ts'
import type { SortField, WatchQuery } from './watch-query.ts'
import { hasOrdinal, pageOf } from './watch-set.ts'

const columns: Record<Exclude<SortField, 'id'>, OrderedColumn> = {
  brand: 'brand',
  retail_price_usd: 'retail',
  current_market_price: 'market',
  updated_at: 'updatedAt',
}

/** Fewer than one in this many: sorting the members is quicker than walking through all watches. */
const fewShare = 256

/** The ordinals of the page that begins at `start`, which must lie within the matches. */
export function sortMatches(
  index: WatchIndex,
  matches: Matches,
  { by, descending }: WatchQuery['sort'],
  start: number,
  length: number,
): Uint32Array {
  const { slots } = index.postings
  if (by !== 'id') return lineUp(index, matches, columns[by], descending).subarray(start, start + length)
  if (!descending) return pageOf(slots, matches, start, length)
  const end = matches.count - start
  const first = Math.max(0, end - length)
  return pageOf(slots, matches, first, end - first).toReversed()
}

function lineUp(index: WatchIndex, matches: Matches, column: OrderedColumn, descending: boolean): Uint32Array {
  const order = index.columns.order(column, (ordinal) => index.isLive(ordinal))
  if (matches.name === '' && !descending) return order.ascending
  return index.remembered.ordinals(`${column} ${descending} ${matches.name}`, () => {
    const { slots } = index.postings
    if (matches.slot === undefined && matches.count * fewShare < index.columns.used) {
      return matches.ordinals.toSorted((one, other) =>
        descending ? order.compareDescending(one, other) : order.compare(one, other),
      )
    }
    const members =
      matches.name === '' ? order.ascending : order.ascending.filter((ordinal) => hasOrdinal(slots, matches, ordinal))
    return descending ? order.descend(members) : members
  })
}
