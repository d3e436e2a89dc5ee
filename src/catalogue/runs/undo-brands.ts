// Undoes what a run changed in brands: restores those that it updated, and names those that it created, which are deleted
// if no watch is of them in the end.
import { type BrandRow, readBrands } from '../brands.ts'
import type { Undoing } from './undoing.ts'

/** Returns the brands that the run created. */
export async function undoBrands(undoing: Undoing, step: number): Promise<readonly number[]> {
  const { reader, journal, later, left, staged, counts } = undoing
  const entries = await journal.brands(step)
  if (entries.length === 0) return []
  const rows = new Map((await readBrands(reader)).map((row) => [row.id, row]))
  const made: number[] = []
  for (const { brand_id: id, before, after } of entries) {
    const row = rows.get(id)
    if (row === undefined) continue
    if (later.brands.has(id)) left.brand(row, 'was changed by a later run')
    else if (row.updated_at !== (JSON.parse(after) as BrandRow).updated_at)
      left.brand(row, 'was changed since, and stays')
    else {
      counts.brands++
      if (before !== null) restoreBrand(undoing, row, JSON.parse(before))
      else {
        made.push(id)
        if (!later.neededBrands.has(id)) staged.unusedBrands.push(id)
      }
    }
  }
  return made
}

function restoreBrand({ staged }: Undoing, row: BrandRow, before: BrandRow): void {
  const fields = (Object.keys(before) as (keyof BrandRow)[]).filter((field) => field !== 'updated_at')
  const fieldOf = (brand: BrandRow, field: keyof BrandRow) =>
    field === 'aliases' ? JSON.parse(brand.aliases) : brand[field]
  const changes = Object.fromEntries(
    fields
      .filter((field) => row[field] !== before[field])
      .map((field) => [field, { old: fieldOf(row, field), new: fieldOf(before, field) }]),
  )
  const change = { type: 'brand.updated', subjectId: row.id, data: { changes } } as const
  staged.changeBrands([{ before: row, after: before }], [change])
}
