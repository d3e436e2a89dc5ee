// Exports the brands: all fields of each, in order of id.
import type { Reader } from '../../storage/database.ts'
import { readBrands } from '../brands.ts'
import { aliasesOf } from '../find-brand.ts'
import { plainTable } from './export-table.ts'

export function exportBrands(view: Reader) {
  return plainTable({
    columns: [
      { name: 'name', type: 'STRING' },
      { name: 'slug', type: 'STRING' },
      { name: 'aliases', type: 'STRINGS' },
      { name: 'country', type: 'STRING', isNullable: true },
      { name: 'founded_year', type: 'INT32', isNullable: true },
      { name: 'website', type: 'STRING', isNullable: true },
      { name: 'id', type: 'INT64' },
      { name: 'updated_at', type: 'STRING' },
    ],
    // One page: there are a few thousand brands at most, and every process that serves watches holds them in memory.
    async *pages() {
      yield (await readBrands(view)).map((row) => ({ ...row, aliases: aliasesOf(row) }))
    },
  })
}
