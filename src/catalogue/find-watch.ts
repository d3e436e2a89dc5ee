// Finds the watch that a text refers to, by its id, or by its reference as users type it.
import { foldReference } from '../specs/fold.ts'
import type { Reader } from '../storage/database.ts'
import { readWatches, type WatchRow } from './watches.ts'

export interface FoundWatches {
  /** No watch, the one that is meant, or several with the same reference. */
  readonly rows: readonly WatchRow[]
  /** Ids of other watches whose reference is the same number: the number was taken as an id. */
  readonly othersByReference: readonly number[]
}

/** Rows per query. They are read without specs, because a million of them may be searched. */
const referencesMax = 10_000
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
  return { rows: [...rows].sort((one, other) => one.id - other.id), othersByReference: [] }
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
  for (let after = 0; found.length < foundMax; ) {
    const rows = await readReferences(reader, after, brandId)
    const last = rows.at(-1)
    if (last === undefined) break
    for (const { id, reference_number } of rows)
      if (foldReference(reference_number) === folded) found.push(id)
    after = last.id
  }
  return found.slice(0, foundMax)
}

function readReferences(reader: Reader, after: number, brandId?: number) {
  const query = reader
    .selectFrom('watches')
    .select(['id', 'reference_number'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(referencesMax)
  return (brandId === undefined ? query : query.where('brand_id', '=', brandId)).execute()
}
