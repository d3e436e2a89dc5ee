// `watchdata brand edit BRAND`: changes the name, the aliases and the other fields of a brand.
import { parseBrandEdit, type RawBrandEdit } from '../../catalogue/edit/brand-rules.ts'
import { type BrandResult, editBrand } from '../../catalogue/edit/edit-brand.ts'
import { getBrand } from '../../catalogue/edit/get-brand.ts'
import { aliasesOf, BrandFinder } from '../../catalogue/find-brand.ts'
import { Failure } from '../../errors.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { shown, visible, watchCount } from '../catalogue-texts.ts'
import { print, printJson, table } from '../output.ts'

export async function editCommand(raw: string, options: CareOptions & RawBrandEdit): Promise<void> {
  const { dryRun = false, json } = options
  const edit = parseBrandEdit(options)
  const { addAliases, removeAliases, ...fields } = edit
  if (Object.keys(fields).length + addAliases.length + removeAliases.length === 0) {
    throw new Failure(
      'Nothing is to be changed: say --name, --slug, --country, --founded, --website, --alias or --remove-alias.',
    )
  }
  const result = await withCare(options, 'Renaming', async (parts) => {
    const finder = await BrandFinder.read(parts.database.reader)
    return editBrand(parts, getBrand(finder, raw).id, edit)
  })
  const { after, changes, watches } = result
  if (json) printJson({ dry_run: dryRun, brand: { ...after, aliases: aliasesOf(after) }, changes, watches })
  else print(describe(result, dryRun))
}

function describe({ before, changes, watches }: BrandResult, isDryRun: boolean): string {
  const name = `${visible(before.name)} (${before.id})`
  const told = `${watchCount(watches)} ${isDryRun ? 'would have' : watches === 1 ? 'has' : 'have'} the new name`
  if (Object.keys(changes).length === 0) {
    return watches === 0
      ? `${name} already has these values: nothing changes.`
      : `${name} already has these values; ${told}${isDryRun ? '' : ' now'} too.`
  }
  const rows = Object.entries(changes).map(([field, { old, new: now }]) => [
    `  ${field}`,
    `${listed(old)} → ${listed(now)}`,
  ])
  const lines = [`${isDryRun ? 'Would change' : 'Changed'} ${name}:`, table(rows)]
  if (changes.name !== undefined) lines.push(`${told}.`)
  return lines.join('\n')
}

function listed(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? 'none' : shown(value)
}
