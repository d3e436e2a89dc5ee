// `watchdata brand list`: lists the brands, with the number of watches of each.
import { type ListedBrand, listBrands } from '../../catalogue/survey/list-brands.ts'
import { grouped, visible } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'

const head = ['id', 'name', 'slug', 'watches', 'collections', 'country', 'aliases']

export async function listCommand({ json }: CommonOptions): Promise<void> {
  const brands = await withCurrentDatabase((database) => database.snapshot(listBrands))
  if (json) printJson(brands)
  else if (brands.length === 0) print('There are no brands.')
  else print(table([head, ...brands.map(rowOf)], [0, 3, 4]))
}

function rowOf(brand: ListedBrand): string[] {
  return [
    String(brand.id),
    visible(brand.name),
    brand.slug,
    grouped(brand.watches_count),
    grouped(brand.collections_count),
    visible(brand.country ?? '–'),
    visible(brand.aliases.join(', ')),
  ]
}
