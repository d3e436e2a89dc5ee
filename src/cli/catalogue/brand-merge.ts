// `watchdata brand merge BRAND… --into BRAND`: merges brands into another brand.
import type { BrandRow } from '../../catalogue/brands.ts'
import { getBrand } from '../../catalogue/edit/get-brand.ts'
import { type DoubleReference, type MergeResult, mergeBrands } from '../../catalogue/edit/merge-brands.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { counted, indented, visible, watchCount } from '../catalogue-texts.ts'
import { print, printJson, table } from '../output.ts'

interface MergeOptions extends CareOptions {
  readonly into: string
}

interface Outcome {
  readonly into: BrandRow
  readonly from: readonly BrandRow[]
  readonly result: MergeResult | undefined
}

const toldMax = 20

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
  if (json) printJson(forPrograms(outcome, dryRun))
  else print(describe(outcome, dryRun))
}

function forPrograms({ into, from, result }: Outcome, isDryRun: boolean) {
  return {
    dry_run: isDryRun,
    brand: {
      id: into.id,
      name: into.name,
      slug: into.slug,
      aliases: result?.aliases ?? JSON.parse(into.aliases),
    },
    merged: from.map(({ id, name, slug }) => ({ id, name, slug })),
    watches: result?.watches ?? 0,
    double_references: result?.doubles ?? [],
    has_more_double_references: result?.areDoublesCut ?? false,
  }
}

function describe({ into, from, result }: Outcome, isDryRun: boolean): string {
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
  const rows = doubles
    .slice(0, toldMax)
    .map(({ reference_number, ids }: DoubleReference) => [visible(reference_number), ids.join(', ')])
  const rest = doubles.length > toldMax ? '\n  …' : ''
  return [`${more}${count} in both; all these watches stay:\n${indented(table(rows))}${rest}`]
}
