// `watchdata watch delete ID…`: deletes watches and their price histories for good. The operator confirms by typing a
// word on a terminal, or with --yes.

import { deleteInSteps } from '../../catalogue/edit/delete-watches.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import type { WatchRow } from '../../catalogue/watches.ts'
import type { Reader } from '../../storage/database.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { indented, visible, watchCount } from '../catalogue-texts.ts'
import { confirm } from '../confirm.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { print, printJson, table } from '../output.ts'
import { getWatch, watchName } from './watch-lookup.ts'

interface DeleteOptions extends CareOptions {
  readonly brand?: string
  readonly yes?: boolean
}

interface Named {
  readonly row: WatchRow
  readonly brand: string
  readonly name: string
}

const toldMax = 20

export async function deleteCommand(written: readonly string[], options: DeleteOptions): Promise<void> {
  const { brand, yes = false, dryRun = false, json } = options
  // Confirm before taking the catalogue lock, so that an import does not wait for the operator.
  const watches = await withCurrentDatabase(({ reader }) => findAll(reader, written, brand))
  if (!yes && !dryRun) await confirm(`This deletes ${subject(watches)} for good`, word(watches))
  const ids = watches.map(({ row }) => row.id)
  if (!dryRun) await withCare(options, 'Deleting', (parts) => deleteInSteps(parts, ids))
  if (json) printJson({ dry_run: dryRun, deleted: watches.map(forPrograms) })
  else print(describe(watches, dryRun))
}

async function findAll(reader: Reader, written: readonly string[], brand?: string): Promise<Named[]> {
  const finder = await BrandFinder.read(reader)
  const byId = new Map<number, Named>()
  for (const one of written) {
    const row = await getWatch(reader, finder, one, brand)
    byId.set(row.id, { row, brand: finder.name(row.brand_id), name: watchName(finder, row) })
  }
  return [...byId.values()]
}

function subject(watches: readonly Named[]): string {
  const [only] = watches
  return watches.length === 1 && only !== undefined
    ? `${only.name} (${only.row.id})`
    : watchCount(watches.length)
}

/** The word to type: the id of a single watch, or the number of watches. */
function word(watches: readonly Named[]): string {
  return String(watches.length === 1 ? watches[0]?.row.id : watches.length)
}

function describe(watches: readonly Named[], isDryRun: boolean): string {
  const head = `${isDryRun ? 'Would delete' : 'Deleted'} ${subject(watches)} with all prices`
  if (watches.length === 1) return `${head}.`
  const rows = watches.slice(0, toldMax).map(({ row, name }) => [String(row.id), visible(name)])
  const more = watches.length > toldMax ? '\n  …' : ''
  return `${head}:\n${indented(table(rows, [0]))}${more}`
}

function forPrograms({ row, brand }: Named) {
  const { id, collection, reference_number } = row
  return { id, brand, collection, reference_number }
}
