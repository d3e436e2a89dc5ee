// Describes the active filters of a list as chips: what each filter says, how it was interpreted, and, where the list
// is empty, how many watches there would be without it.
import type { Chip, UnknownKey } from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { findOperator, findSubject } from '../../../search/query/operators.ts'
import type { Filter, Operator } from '../../../search/query/watch-query.ts'
import { explainFilters } from '../../../search/results/explain.ts'
import { prepareSelection } from '../../../search/results/find-matches.ts'
import { readQuery } from '../../../search/results/read-query.ts'
import { suggestKeys } from '../../../search/results/unknown-keys.ts'
import { foldText } from '../../../specs/fold.ts'
import { addressOf, type Part, queryOf, without } from './address.ts'

const operatorTexts: Readonly<Record<Operator, string>> = {
  is: ':',
  any: ':',
  not: ' is not',
  gt: ' >',
  gte: ' ≥',
  lt: ' <',
  lte: ' ≤',
  exists: '',
  exact: ' is exactly',
}

/** Parts of a search that were read as other words. */
const corrections: ReadonlySet<string> = new Set(['typo', 'completed', 'split', 'base'])

/** One chip for each filtering part of a valid query. `isEmpty` is true where nothing matches. */
export function describeChips(
  index: WatchIndex,
  path: string,
  parts: readonly Part[],
  isEmpty: boolean,
  brandId: number | undefined,
): readonly Chip[] {
  const rest = without(parts, 'page')
  return rest.flatMap((part) => {
    const filter = findFilter(part)
    const text = filter === undefined ? plainText(part) : filterText(filter)
    if (text === undefined) return []
    const others = rest.filter((other) => other !== part)
    return {
      text,
      readAs: filter === undefined ? textReadAs(index, part) : readAs(index, filter),
      hrefWithout: addressOf(path, others),
      totalWithout: isEmpty ? countParts(index, others, brandId) : undefined,
      totalAlone: isEmpty ? countParts(index, [part], undefined) : undefined,
    }
  })
}

/** Spec keys that no watch has, each with a link that uses the key that was probably meant. */
export function describeUnknown(
  index: WatchIndex,
  path: string,
  parts: readonly Part[],
): readonly UnknownKey[] {
  const rest = without(parts, 'page')
  const keys = rest.filter(({ name }) => name === 'spec').map(({ path: [key = ''] }) => key)
  const unknown = keys.filter((key) => !index.hasKey(key))
  if (unknown.length === 0) return []
  return suggestKeys(index, unknown).map(({ key, suggestion }) => {
    if (suggestion === undefined) return { key, suggestion }
    const meant = rest.map((part) =>
      part.name === 'spec' && part.path[0] === key
        ? { ...part, path: [suggestion, ...part.path.slice(1)] }
        : part,
    )
    return { key, suggestion: { key: suggestion, href: addressOf(path, meant) } }
  })
}

function countParts(index: WatchIndex, parts: readonly Part[], brandId: number | undefined): number {
  const query = readQuery(index, queryOf(parts))
  return prepareSelection(index, { ...query, brandId }).find().set.count
}

function findFilter({ name, path, value }: Part): Filter | undefined {
  const subject = findSubject(name)
  if (subject === undefined) return undefined
  const isSpec = subject === 'spec'
  const row = findOperator(subject, path, isSpec ? 1 : 0)
  if (row === undefined) return undefined
  return { subject, key: isSpec ? (path[0] ?? '') : subject, operator: row.operator, values: [value] }
}

function filterText({ key, operator, values: [value = ''] }: Filter): string {
  if (operator === 'exists') return `${labelOf(key)}: ${value === 'true' ? 'any' : 'none'}`
  return `${labelOf(key)}${operatorTexts[operator]} ${value}`
}

function plainText({ name, value }: Part): string | undefined {
  if (name === 'q') return `Search: ${value}`
  return name === 'ids' ? `Ids: ${value}` : undefined
}

/** The search as it was understood; undefined where that is as it was written, or nothing of it was. */
function textReadAs(index: WatchIndex, part: Part): string | undefined {
  if (part.name !== 'q') return undefined
  const { text } = readQuery(index, queryOf([part]))
  const values =
    text === undefined ? [] : explainFilters(index, { filters: [], text }).flatMap((one) => one.values)
  const dropped = values.filter(({ kind }) => kind === 'dropped').map(({ written }) => written)
  const isChanged = dropped.length > 0 || values.some(({ kind }) => corrections.has(kind))
  if (!isChanged || dropped.length === values.length) return undefined
  const read = values
    .filter(({ kind }) => kind !== 'dropped')
    .map(({ written, read_as, kind }) => (corrections.has(kind) ? read_as : written))
  return `${read.join(' ')}${dropped.length === 0 ? '' : `, without ${dropped.join(', ')}`}`
}

/** Undefined where the value was interpreted as given. */
function readAs(index: WatchIndex, filter: Filter): string | undefined {
  const [reading] = explainFilters(index, { filters: [filter] })
  const [value] = reading?.values ?? []
  if (value === undefined || value.kind === 'reference') return undefined
  return foldText(value.read_as) === foldText(value.written) ? undefined : value.read_as
}
