// Stores catalogues in a real database for tests of the index: writes them in bulk and reads them back as the naive
// list and the index need them.
import { CacheBudget, megabyte } from '../../src/cache-budget.ts'
import { readBrands } from '../../src/catalogue/brands.ts'
import { readWatchesAfter, type WatchRow } from '../../src/catalogue/watches.ts'
import { parseConfig } from '../../src/config.ts'
import { buildIndex } from '../../src/search/index/build-index.ts'
import { WatchIndex } from '../../src/search/index/watch-index.ts'
import { readVocabulary } from '../../src/specs/read-vocabulary.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { type Catalogue, type NaiveWatch, readCatalogue } from './naive-watches.ts'
import type { RandomBrand, RandomCatalogue } from './random-catalogue.ts'

export const vocabulary = await readVocabulary(parseConfig({}))

/** Rows per insert: limited by the number of parameters a statement may have. */
const insertMax = 1_000
const watchesMax = 1_000_000

/** Replaces the contents of the database. */
export async function storeCatalogue(
  database: Database,
  { brands, watches }: RandomCatalogue,
): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom('watches').execute()
    await tx.deleteFrom('brands').execute()
    const brandIds: number[] = []
    for (const brand of brands) brandIds.push(await insertBrand(tx, brand))
    let id = 0
    const rows = watches.map(({ brand, step, ...watch }) => {
      id += step
      return { ...watch, id, brand_id: brandIds[brand % brandIds.length] as number }
    })
    await insertWatches(tx, rows)
  })
}

export async function insertBrand(tx: Tx, { name, slug, aliases }: RandomBrand): Promise<number> {
  const { id } = await tx
    .insertInto('brands')
    .values({ name, slug, aliases: JSON.stringify(aliases), updated_at: '2026-03-01T00:00:00.000Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertWatches(tx: Tx, rows: readonly WatchRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += insertMax) {
    await tx
      .insertInto('watches')
      .values(rows.slice(start, start + insertMax))
      .execute()
  }
}

export async function readStored(
  database: Database,
): Promise<{ catalogue: Catalogue; watches: NaiveWatch[] }> {
  const catalogue = {
    brands: await readBrands(database.reader),
    watches: await readWatchesAfter(database.reader, 0, watchesMax),
  }
  return { catalogue, watches: readCatalogue(catalogue, vocabulary) }
}

export async function buildFresh(database: Database): Promise<WatchIndex> {
  return new WatchIndex(
    await database.snapshot((view) => buildIndex(view, vocabulary)),
    vocabulary,
    new CacheBudget(16 * megabyte),
  )
}
