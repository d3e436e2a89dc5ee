// Counts the watches of brands and lists their references, for the operations that edit or merge brands.
import type { Reader } from '../../storage/database.ts'

const readMax = 10_000

export async function countWatchesOf(reader: Reader, brandIds: readonly number[]): Promise<number> {
  const { count } = await reader
    .selectFrom('watches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('brand_id', 'in', brandIds)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** In order of id. */
export async function* referencesOf(
  reader: Reader,
  brandIds: readonly number[],
): AsyncGenerator<{ readonly id: number; readonly reference_number: string }> {
  for (let after = 0; ; ) {
    const rows = await reader
      .selectFrom('watches')
      .select(['id', 'reference_number'])
      .where('brand_id', 'in', brandIds)
      .where('id', '>', after)
      .orderBy('id')
      .limit(readMax)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    after = last.id
  }
}
