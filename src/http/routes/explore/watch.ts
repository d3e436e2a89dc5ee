// Builds the views of a watch and of a comparison: each value with a link to all watches that have it, and quantities
// in other units that the service reads.

import { comparedMax } from '../../../../web/pages/explore/compare.ts'
import type {
  ComparedRow,
  CompareView,
  SpecRow,
  SpecValue,
  WatchView,
} from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { scalarsOf } from '../../../specs/vocabulary.ts'
import { addressOf, canBeAsked, type Part, specParts, tickedParts } from './address.ts'
import { writeEquivalents } from './equivalents.ts'
import { describeRow, everyWatch, type SentWatch } from './list.ts'
import { tailOf } from './ticked.ts'

const specRowsMax = 500
const specValuesMax = 100

/** `ticked` are the ids already ticked for comparison. */
export function describeWatch(index: WatchIndex, ordinal: number, ticked: readonly number[]): WatchView {
  const watch = index.watchAt(ordinal) as SentWatch
  const { brand, collection } = watch
  const asked = { brand, collection }
  const carried = tickedParts(ticked)
  const compared = [...new Set([...ticked, watch.id])]
  const isFull = compared.length > comparedMax
  const parts = Object.entries(asked).map(([name, value]): Part => ({ name, path: [], value }))
  return {
    row: describeRow(index, watch),
    tail: tailOf(ticked),
    compareHref: compareAddress(isFull ? ticked : compared),
    compareIsFull: isFull,
    specs: describeSpecs(index, watch, carried),
    updatedAt: watch.updated_at,
    collectionHref: Object.values(asked).every((value) => canBeAsked(value))
      ? addressOf(everyWatch.path, [...parts, ...carried])
      : undefined,
  }
}

/** In the order of `ids`. */
export function compareWatches(index: WatchIndex, ids: readonly number[]): CompareView {
  const found = ids.flatMap((id) => {
    const ordinal = index.findOrdinal(id)
    return ordinal === undefined ? [] : (index.watchAt(ordinal) as SentWatch)
  })
  const foundIds = found.map(({ id }) => id)
  const carried = tickedParts(foundIds)
  const specs = found.map(
    (watch) => new Map(describeSpecs(index, watch, carried).map((row) => [row.key, row])),
  )
  const keys = new Set(specs.flatMap((rows) => [...rows.keys()]))
  return {
    call: `/watches?ids=${ids.join(',')}`,
    tail: tailOf(foundIds),
    watches: found.map((watch) => ({
      row: describeRow(index, watch),
      hrefWithout: compareAddress(foundIds.filter((id) => id !== watch.id)),
    })),
    rows: [...keys].map((key): ComparedRow => {
      const cells = specs.map((rows) => rows.get(key))
      return {
        label: labelOf(key),
        cells,
        differs: new Set(cells.map((cell) => meaningOf(index, cell))).size > 1,
      }
    }),
    missing: ids.filter((id) => !foundIds.includes(id)),
  }
}

export function compareAddress(ids: readonly number[]): string {
  return ids.length === 0 ? everyWatch.path : `/explore/compare?ids=${ids.join(',')}`
}

function describeSpecs(
  index: WatchIndex,
  { specs }: SentWatch,
  carried: readonly Part[],
): readonly SpecRow[] {
  return Object.entries(specs)
    .slice(0, specRowsMax)
    .map(([key, value]) => {
      const scalars = scalarsOf(value).map(String)
      return {
        key,
        label: labelOf(key),
        values: scalars.slice(0, specValuesMax).map((text) => describeValue(index, key, text, carried)),
        left: Math.max(0, scalars.length - specValuesMax),
      }
    })
    .filter(({ values }) => values.length > 0)
}

function describeValue(index: WatchIndex, key: string, text: string, carried: readonly Part[]): SpecValue {
  const parts = [...specParts(key, [text]), ...carried]
  const href = canBeAsked(text, key) ? addressOf(everyWatch.path, parts) : undefined
  const { kind, shown } = index.read(key, text)
  return { text, href, equals: kind === 'quantity' ? writeEquivalents(key, text, shown) : [] }
}

/** A text that is equal for cells with the same meaning, however they are spelled. */
function meaningOf(index: WatchIndex, cell: SpecRow | undefined): string {
  if (cell === undefined) return ''
  return JSON.stringify(cell.values.map(({ text }) => index.read(cell.key, text).term).sort())
}
