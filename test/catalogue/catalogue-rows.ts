// Reads every row of the catalogue as it is stored: watches, brands and the price history.
import type { Database } from '../../src/storage/database.ts'

export async function catalogueRows({ reader }: Database) {
  return {
    brands: await reader.selectFrom('brands').selectAll().orderBy('id').execute(),
    watches: await reader.selectFrom('watches').selectAll().orderBy('id').execute(),
    prices: await reader.selectFrom('prices').selectAll().orderBy('watch_id').orderBy('date').execute(),
  }
}
