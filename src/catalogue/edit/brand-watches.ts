// Counts the watches of brands and lists their references, for the operations that edit or merge brands.
import type { Reader } from '../../storage/database.ts'
import { pagesById } from './watch-pages.ts'

/** Rows per query. They are read without specs, because a million of them may be searched. */
const readMax = 10_000

export async function countWatchesOf(reader: Reader, brandIds: readonly number[]): Promise<number> {
  const { count } = await reader
    .selectFrom('watches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('brand_id', 'in', brandIds)
    .executeTakeFirstOrThrow()
  return count
}

/** Yields the references of the brands, or of all brands, in order of id. */
export function referencePages(reader: Reader, brandIds?: readonly number[]) {
  const query = reader.selectFrom('watches').select(['id', 'reference_number']).orderBy('id').limit(readMax)
  const ofBrands = brandIds === undefined ? query : query.where('brand_id', 'in', brandIds)
  return pagesById((after) => ofBrands.where('id', '>', after).execute())
}
