// `watchdata brand list`, `edit` and `merge`: lists the brands with the number of watches of each, changes the name, the
// aliases and the other fields of a brand, and merges brands into another brand.
import type { BrandRow } from '../../catalogue/brands.ts'
import { parseBrandEdit, type RawBrandEdit } from '../../catalogue/edit/brand-rules.ts'
import { type BrandResult, editBrand } from '../../catalogue/edit/edit-brand.ts'
import { getBrand } from '../../catalogue/edit/get-brand.ts'
import { type MergeResult, mergeBrands } from '../../catalogue/edit/merge-brands.ts'
import { aliasesOf, BrandFinder } from '../../catalogue/find-brand.ts'
import { type ListedBrand, listBrands } from '../../catalogue/survey/list-brands.ts'
import { Failure } from '../../errors.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { counted, grouped, indented, shown, visible, watchCount } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'

type MergeOptions = CareOptions & { readonly into: string }

interface Outcome {
  readonly into: BrandRow
  readonly from: readonly BrandRow[]
  readonly result: MergeResult | undefined
}

const toldMax = 20
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
  else print(describeEdit(result, dryRun))
}

function describeEdit({ before, changes, watches }: BrandResult, isDryRun: boolean): string {
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

export async function mergeCommand(written: readonly string[], options: MergeOptions): Promise<void> {
  const { dryRun = false, json } = options
  const outcome = await withCare(options, 'Merging', async (parts): Promise<Outcome> => {
    const finder = await BrandFinder.read(parts.database.reader)
    const into = getBrand(finder, options.into)
    const named = new Set(written.map((one) => getBrand(finder, one)))
    // The name of a brand that was merged earlier finds the brand it was merged into.
    named.delete(into)
    const from = [...named]
    return { into, from, result: from.length === 0 ? undefined : await mergeBrands(parts, { from, into }) }
  })
  if (json) printJson(mergeForPrograms(outcome, dryRun))
  else print(describeMerge(outcome, dryRun))
}

function mergeForPrograms({ into, from, result }: Outcome, isDryRun: boolean) {
  const named = ({ id, name, slug }: BrandRow) => ({ id, name, slug })
  return {
    dry_run: isDryRun,
    brand: { ...named(into), aliases: result?.aliases ?? aliasesOf(into) },
    merged: from.map(named),
    watches: result?.watches ?? 0,
    double_references: result?.doubles ?? [],
    has_more_double_references: result?.areDoublesCut ?? false,
  }
}

function describeMerge({ into, from, result }: Outcome, isDryRun: boolean): string {
  const target = visible(into.name)
  if (result === undefined) return `All of these are ${target} already: nothing changes.`
  const names = from.map(({ name }) => visible(name)).join(', ')
  const lines = [
    `${isDryRun ? 'Would merge' : 'Merged'} ${names} into ${target}: ${watchCount(result.watches)}.`,
    `${target} ${isDryRun ? 'would also be' : 'is also'} called ${visible(result.aliases.join(', '))}.`,
  ]
  return [...lines, ...doubles(result)].join('\n')
}

function doubles({ doubles, areDoublesCut }: MergeResult): string[] {
  if (doubles.length === 0) return []
  const more = areDoublesCut ? 'At least ' : ''
  const count = counted(doubles.length, 'reference is', 'references are')
  const told = doubles.slice(0, toldMax)
  const rows = told.map(({ reference_number, ids }) => [visible(reference_number), ids.join(', ')])
  const rest = doubles.length > toldMax ? '\n  …' : ''
  return [`${more}${count} in both; all these watches stay:\n${indented(table(rows))}${rest}`]
}
