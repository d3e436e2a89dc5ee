// Finds the watch that a text refers to, by its id, or by its reference as users type it.
import { foldReference } from '../specs/fold.ts'
import type { Reader } from '../storage/database.ts'
import { referencePages } from './edit/brand-watches.ts'
import { readWatches, type WatchRow } from './watches.ts'

export interface FoundWatches {
  /** No watch, the one that is meant, or several with the same reference. */
  readonly rows: readonly WatchRow[]
  /** Ids of other watches whose reference is the same number: the number was taken as an id. */
  readonly othersByReference: readonly number[]
}

/** The most watches found for one reference. A longer list would not help to tell them apart. */
const foundMax = 100

const plainId = /^[1-9]\d{0,14}$/

/**
 * A plain number is an id if such a watch exists, since lists show ids to be used. With a brand it is a reference:
 * an id would need no brand.
 */
export async function findWatches(reader: Reader, raw: string, brandId?: number): Promise<FoundWatches> {
  if (brandId === undefined && plainId.test(raw)) {
    const rows = await readWatches(reader, [Number(raw)])
    if (rows.length > 0) return { rows, othersByReference: await idsOfExactly(reader, raw, Number(raw)) }
  }
  const ids = await idsOfReference(reader, raw, brandId)
  const rows = ids.length === 0 ? [] : await readWatches(reader, ids)
  return { rows, othersByReference: [] }
}

async function idsOfExactly(reader: Reader, reference: string, exceptId: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('watches')
    .select('id')
    .where('reference_number', '=', reference)
    .where('id', '<>', exceptId)
    .orderBy('id')
    .limit(foundMax)
    .execute()
  return rows.map(({ id }) => id)
}

async function idsOfReference(reader: Reader, raw: string, brandId?: number): Promise<number[]> {
  const folded = foldReference(raw)
  const found: number[] = []
  if (folded === '') return found
  for await (const rows of referencePages(reader, brandId === undefined ? undefined : [brandId])) {
    for (const { id, reference_number } of rows)
      if (foldReference(reference_number) === folded) found.push(id)
    if (found.length >= foundMax) break
  }
  return found.slice(0, foundMax)
}
