// `watchdata spec rename OLD NEW`: renames a spec key in every watch.
import { type Kept, renameSpec } from '../../catalogue/edit/rename-spec.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { visible, watchCount } from '../catalogue-texts.ts'
import { print, printJson } from '../output.ts'

interface RenameOptions extends CareOptions {
  readonly keep?: Kept
}

export async function renameCommand(from: string, to: string, options: RenameOptions): Promise<void> {
  const { keep: kept, dryRun = false, json } = options
  const { watches, withBoth } = await withCare(options, `Renaming ${visible(from)}`, (parts) =>
    renameSpec(parts, { from, to, kept }),
  )
  const [old, now] = [visible(from), visible(to)]
  if (json) printJson({ dry_run: dryRun, from, to, watches, with_both: withBoth })
  else if (watches === 0) print(`No watch has ${old}: nothing changes.`)
  else {
    const both =
      withBoth === 0
        ? ''
        : ` Of those that had both, ${watchCount(withBoth)}, the value of ${kept === 'old' ? old : now} ${dryRun ? 'would stay' : 'stayed'}.`
    print(`${dryRun ? 'Would rename' : 'Renamed'} ${old} to ${now} in ${watchCount(watches)}.${both}`)
  }
}
