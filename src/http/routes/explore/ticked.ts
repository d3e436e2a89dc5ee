// Describes the watches ticked for comparison: those on the current page are ticked in the list, the others are
// named. Ids of watches that do not exist are dropped.
import type { Ticked } from '../../../../web/pages/explore/explore-data.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { addressOf, type Part, queryOf, readTicked, tickedName, tickedParts, without } from './address.ts'

/** `shownIds` are the ids of the rows on this page. */
export function describeTicked(
  index: WatchIndex,
  path: string,
  links: readonly Part[],
  shownIds: readonly number[],
): Ticked {
  const ids = findTicked(index, queryOf(links))
  const query = without(links, tickedName)
  return {
    ids,
    others: ids
      .filter((id) => !shownIds.includes(id))
      .map((id) => ({
        id,
        name: nameOf(index, id),
        hrefWithout: addressOf(path, [...query, ...tickedParts(ids.filter((other) => other !== id))]),
      })),
    kept: queryOf(query),
    tail: tailOf(ids),
  }
}

export function findTicked(index: WatchIndex, rawQuery: string): readonly number[] {
  return readTicked(rawQuery).filter((id) => index.findOrdinal(id) !== undefined)
}

/** The query string that keeps the watches ticked on a page without a query of its own. */
export function tailOf(ids: readonly number[]): string {
  return addressOf('', tickedParts(ids))
}

function nameOf(index: WatchIndex, id: number): string {
  const ordinal = index.findOrdinal(id)
  if (ordinal === undefined) return String(id)
  const watch = index.watchAt(ordinal) as Readonly<Record<string, unknown>>
  const names = [watch.brand, watch.collection, watch.reference_number]
  return names.filter((name) => name !== '').join(' ')
}
