// Lists the spec keys of the catalogue for an operator: how many watches and values each has, and a few of the values.
import { unitOf } from '../../specs/quantities.ts'
import type { Reader } from '../../storage/database.ts'
import { type OnProgress, watchPagesWithProgress } from '../edit/watch-pages.ts'
import { byFrequency, type KeySurvey, type Scalar, SpecSurvey, type SpecType } from './survey-specs.ts'

export interface ListedSpec {
  readonly key: string
  readonly watches_count: number
  /** The number of distinct values as stored; a lower bound if `has_more_values`. */
  readonly values_count: number
  readonly has_more_values: boolean
  /** The most frequent first. */
  readonly types: readonly SpecType[]
  readonly unit: string | null
  readonly examples: readonly Scalar[]
}

const examplesMax = 5

/** Returns the most frequent keys first; `isCut` is true if there are more keys than are listed. */
export async function listSpecs(
  view: Reader,
  onProgress: OnProgress,
): Promise<{ specs: ListedSpec[]; isCut: boolean }> {
  const survey = new SpecSurvey()
  for await (const rows of watchPagesWithProgress(view, onProgress)) {
    for (const { id, specs } of rows) survey.add(id, specs)
  }
  return { specs: survey.keys.map(describe), isCut: survey.areKeysCut }
}

function describe({ key, occurrence, types, values, isCut }: KeySurvey): ListedSpec {
  return {
    key,
    watches_count: occurrence.watches,
    values_count: values.size,
    has_more_values: isCut,
    types: byFrequency(types).map(([type]) => type),
    unit: unitOf(key) ?? null,
    examples: byFrequency(values)
      .slice(0, examplesMax)
      .map(([value]) => value),
  }
}
