// In charge of the watches that are ticked to be compared, as a list shows them: those of its own page are ticked there,
// the others are named. Ids that no watch has are not told of.
import type { Ticked } from '../../../../web/pages/explore/explore-data.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { addressOf, type Part, queryOf, readTicked, tickedParts, withoutTicked } from './address.ts'

/** `shownIds` are those of the list's rows. */
export function describeTicked(
  index: WatchIndex,
  path: string,
  links: readonly Part[],
  shownIds: readonly number[],
): Ticked {
  const ids = findTicked(index, queryOf(links))
  const query = withoutTicked(links)
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

export function findTicked(index: WatchIndex, written: string): readonly number[] {
  return readTicked(written).filter((id) => index.findOrdinal(id) !== undefined)
}

/** What is put after the path of a page that has no query of its own. */
export function tailOf(ids: readonly number[]): string {
  return addressOf('', tickedParts(ids))
}

function nameOf(index: WatchIndex, id: number): string {
  const ordinal = index.findOrdinal(id)
  if (ordinal === undefined) return String(id)
  const watch = index.watchAt(ordinal) as Readonly<Record<string, unknown>>
  return `${watch.brand} ${watch.collection} ${watch.reference_number}`
}
