// `watchdata watch edit ID --set FIELD=VALUE --unset FIELD`: changes fields of one watch.
import { type EditedField, editWatch, listEdits, parseWatchEdit } from '../../catalogue/edit/edit-watch.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { findWatches } from '../../catalogue/find-watch.ts'
import { readWatches, type WatchRow, watchJson, watchText } from '../../catalogue/watches.ts'
import { Failure } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { quoted, usd, visible } from '../catalogue-texts.ts'
import { print, table, tell } from '../output.ts'
import { getWatch, watchName } from './watch-lookup.ts'

interface EditOptions extends CareOptions {
  readonly brand?: string
  readonly set?: readonly string[]
  readonly unset?: readonly string[]
}

const toldMax = 20

export async function editCommand(raw: string, options: EditOptions): Promise<void> {
  const { brand, set = [], unset = [], dryRun = false, json } = options
  await withCare(options, 'Editing', async ({ database, clock }) => {
    const finder = await BrandFinder.read(database.reader)
    const found = await getWatch(database.reader, finder, raw, brand)
    const edit = parseWatchEdit(set, unset, finder, found.specs)
    const row = dryRun ? found : await editWatch({ database, clock, finder }, found.id, edit)
    if (row === undefined) throw new Failure(`Watch ${found.id} was deleted meanwhile: nothing is changed.`)
    const edits = listEdits(row, edit(row), (id) => finder.name(id))
    const [after] = dryRun ? [{ ...row, ...edit(row) }] : await readWatches(database.reader, [row.id])
    const also = await findDoubles(database.reader, row, after ?? row)
    if (json) printResult(after ?? row, finder, { edits, also }, dryRun)
    else print(describe(watchName(finder, row), row.id, edits, dryRun))
    if (!json && also.length > 0) tell(doublesText(finder, after ?? row, also))
  })
}

/** If the edit changed brand or reference: other watches of the brand that have the same reference. */
async function findDoubles(reader: Reader, before: WatchRow, after: WatchRow): Promise<number[]> {
  const { id, brand_id, reference_number } = after
  if (before.brand_id === brand_id && before.reference_number === reference_number) return []
  const { rows } = await findWatches(reader, reference_number, brand_id)
  return rows.map((row) => row.id).filter((other) => other !== id)
}

function doublesText(finder: BrandFinder, after: WatchRow, ids: readonly number[]): string {
  const told = ids.slice(0, toldMax).join(', ')
  const more = ids.length > toldMax ? ' …' : ''
  const name = visible(`${finder.name(after.brand_id)} ${after.reference_number}`)
  return `${name} is also the reference of ${told}${more}; all these watches stay.`
}

function printResult(
  after: WatchRow,
  finder: BrandFinder,
  { edits, also }: { readonly edits: readonly EditedField[]; readonly also: readonly number[] },
  isDryRun: boolean,
): void {
  const changes = Object.fromEntries(edits.map(({ field, ...change }) => [field, change]))
  const watch = watchText(watchJson(after, finder.name(after.brand_id)))
  print(
    `{"dry_run":${isDryRun},"watch":${watch},"changes":${JSON.stringify(changes)},"also":${JSON.stringify(also)}}`,
  )
}

function describe(name: string, id: number, edits: readonly EditedField[], isDryRun: boolean): string {
  if (edits.length === 0) return `${name} (${id}) already has these values: nothing changes.`
  const rows = edits.map(({ field, old, new: now }) => [
    `  ${visible(field)}`,
    `${textOf(field, old)} → ${textOf(field, now)}`,
  ])
  return `${isDryRun ? 'Would change' : 'Changed'} ${name} (${id}):\n${table(rows)}`
}

function textOf(field: string, value: unknown): string {
  return !field.startsWith('specs.') && typeof value === 'number' ? usd(value) : quoted(value)
}
