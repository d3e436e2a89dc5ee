// `watchdata spec list`, `rename` and `merge-values`: lists the spec keys that watches have, renames a key, and replaces
// several spellings of a value with one, in every watch.
import { mergeValues } from '../../catalogue/edit/merge-values.ts'
import { type Kept, renameSpec } from '../../catalogue/edit/rename-spec.ts'
import { parseScalar } from '../../catalogue/edit/spec-value.ts'
import { type ListedSpec, listSpecs } from '../../catalogue/survey/list-specs.ts'
import { type CareOptions, tellProgress, withCare } from '../catalogue-care.ts'
import { grouped, quoted, shortened, shown, visible, watchCount } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table, tell } from '../output.ts'

type RenameOptions = CareOptions & { readonly keep?: Kept }
type MergeOptions = CareOptions & { readonly into: string }

const head = ['key', 'watches', 'values', 'unit', 'examples']
const examplesShown = 3
const exampleChars = 24

export async function listCommand({ json = false }: CommonOptions): Promise<void> {
  const { onProgress, clear } = tellProgress('Reading', json)
  const { specs, isCut } = await withCurrentDatabase((database) =>
    database.snapshot((view) => listSpecs(view, onProgress)),
  ).finally(clear)
  if (json) printJson(specs)
  else if (specs.length === 0) print('No watch has specs.')
  else print(table([head, ...specs.map(rowOf)], [1, 2]))
  if (isCut) tell(`There are more keys than the ${grouped(specs.length)} that are listed.`)
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

export async function mergeCommand(
  key: string,
  from: readonly string[],
  options: MergeOptions,
): Promise<void> {
  const { dryRun = false, json } = options
  const into = parseScalar(options.into)
  const watches = await withCare(options, `Merging ${visible(key)}`, (parts) =>
    mergeValues(parts, { key, from, into }),
  )
  const values = from.map(quoted).join(', ')
  if (json) printJson({ dry_run: dryRun, key, from, into, watches })
  else if (watches === 0) print(`No watch has ${values} as its ${visible(key)}: nothing changes.`)
  else {
    const done = dryRun ? 'Would write' : 'Wrote'
    print(`${done} ${quoted(into)} for ${values} as ${visible(key)} in ${watchCount(watches)}.`)
  }
}

function rowOf(spec: ListedSpec): string[] {
  const { key, watches_count, values_count, has_more_values, unit, examples } = spec
  return [
    visible(key),
    grouped(watches_count),
    `${grouped(values_count)}${has_more_values ? '+' : ''}`,
    unit ?? '',
    examples
      .slice(0, examplesShown)
      .map((example) => shortened(shown(example), exampleChars))
      .join(' · '),
  ]
}
