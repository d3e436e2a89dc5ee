// Lists the brands for an operator, with the number of watches and collections of each.
import { foldText } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import { type BrandRow, readBrands } from '../brands.ts'
import { aliasesOf } from '../find-brand.ts'

export interface ListedBrand extends Omit<BrandRow, 'aliases'> {
  readonly aliases: readonly string[]
  readonly collections_count: number
  readonly watches_count: number
}

/** Sorted by name. */
export async function listBrands(view: Reader): Promise<ListedBrand[]> {
  const collections = await view
    .selectFrom('watches')
    .select(['brand_id', 'collection'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['brand_id', 'collection'])
    .execute()
  const byBrand = Map.groupBy(collections, ({ brand_id }) => brand_id)
  const brands = (await readBrands(view)).map((row) => describe(row, byBrand.get(row.id) ?? []))
  const names = new Map(brands.map(({ id, name }) => [id, foldText(name)]))
  return brands.sort((one, other) => ((names.get(one.id) ?? '') < (names.get(other.id) ?? '') ? -1 : 1))
}

function describe(
  row: BrandRow,
  collections: readonly { readonly collection: string; readonly count: number }[],
): ListedBrand {
  const { id, name, slug, country, founded_year, website, updated_at } = row
  const named = new Set(collections.map(({ collection }) => foldText(collection)))
  named.delete('')
  return {
    id,
    name,
    slug,
    aliases: aliasesOf(row),
    country,
    founded_year,
    website,
    collections_count: named.size,
    watches_count: collections.reduce((sum, { count }) => sum + Number(count), 0),
    updated_at,
  }
}
