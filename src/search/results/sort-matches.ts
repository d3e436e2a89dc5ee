// Sorts the matches of a list and returns one page. Sets are already in order of id, so a page by id is selected by
// rank. For the other orders the members are sorted once and cached, so that a deep page costs no more than the first.
import type { OrderedColumn } from '../index/columns.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { SortField, WatchQuery } from '../query/watch-query.ts'
import { hasOrdinal, pageOf, type WatchSet } from '../sets/watch-set.ts'
import type { Matches } from './find-matches.ts'

const columns: Record<Exclude<SortField, 'id'>, OrderedColumn> = {
  brand: 'brand',
  retail_price_usd: 'retail',
  current_market_price: 'market',
  updated_at: 'updatedAt',
}

/** For fewer than one in this many watches, sorting the members is faster than scanning all watches in order. */
const fewShare = 256

/** Returns the ordinals of the page that begins at `start`, which must be within the matches. */
export function sortMatches(
  index: WatchIndex,
  matches: Matches,
  { by, descending }: WatchQuery['sort'],
  start: number,
  length: number,
): Uint32Array {
  const { slots } = index.postings
  if (by !== 'id')
    return sortedOrdinals(index, matches, columns[by], descending).subarray(start, start + length)
  if (!descending) return pageOf(slots, matches.set, start, length)
  const end = matches.set.count - start
  const first = Math.max(0, end - length)
  return pageOf(slots, matches.set, first, end - first).toReversed()
}

function sortedOrdinals(
  index: WatchIndex,
  { name, set }: Matches,
  column: OrderedColumn,
  descending: boolean,
): Uint32Array {
  const order = index.columns.order(column, (ordinal) => index.rows.has(ordinal))
  if (name === '' && !descending) return order.ascending
  return index.resultCache.ordinals(`${column} ${descending} ${name}`, () => {
    if (set.slot === undefined && set.count * fewShare < index.columns.used) {
      return set.ordinals.toSorted((one, other) => order.compare(one, other, descending ? -1 : 1))
    }
    const members = name === '' ? order.ascending : membersOf(index, set, order.ascending)
    return descending ? order.descend(members) : members
  })
}

/** Returns the members of the set in the order of `ascending`, which has all watches. */
function membersOf(index: WatchIndex, set: WatchSet, ascending: Uint32Array): Uint32Array {
  const { slots } = index.postings
  const members = new Uint32Array(set.count)
  let count = 0
  for (let at = 0; count < members.length; at++) {
    const ordinal = ascending[at] as number
    if (hasOrdinal(slots, set, ordinal)) members[count++] = ordinal
  }
  return members
}
