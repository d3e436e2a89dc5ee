// `watchdata spec merge-values KEY VALUE… --into VALUE`: replaces several spellings of a spec value with one, in every
// watch.
import { mergeValues } from '../../catalogue/edit/merge-values.ts'
import { parseScalar } from '../../catalogue/edit/spec-value.ts'
import { type CareOptions, withCare } from '../catalogue-care.ts'
import { quoted, visible, watchCount } from '../catalogue-texts.ts'
import { print, printJson } from '../output.ts'

interface MergeOptions extends CareOptions {
  readonly into: string
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
