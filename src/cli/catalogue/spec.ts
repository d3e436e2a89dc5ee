// `watchdata spec list`: lists the spec keys that watches have.
import { type ListedSpec, listSpecs } from '../../catalogue/survey/list-specs.ts'
import { tellProgress } from '../catalogue-care.ts'
import { grouped, shortened, shown, visible } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table, tell } from '../output.ts'

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
