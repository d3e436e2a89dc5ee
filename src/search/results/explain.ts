// Implements the `explain` parameter: how each filter was interpreted, and how many watches it matches alone.
import { foldReference } from '../../specs/fold.ts'
import type { Reading } from '../../specs/vocabulary.ts'
import { collectionKey } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { operators } from '../query/operators.ts'
import type { Filter, WatchQuery } from '../query/watch-query.ts'
import { prepareSelection } from './find-matches.ts'

export interface FilterReading {
  /** The parameter as it is written before the `=`, such as `spec[dial_color][not]`. */
  readonly parameter: string
  readonly values: readonly ValueReading[]
  /** Watches that match this filter alone. */
  readonly total: number
}

interface ValueReading {
  readonly written: string
  readonly read_as: string
  readonly kind: Reading['kind'] | 'boolean' | 'brand' | 'reference'
}

export function explainFilters(index: WatchIndex, { filters }: Pick<WatchQuery, 'filters'>): FilterReading[] {
  return filters.map((filter) => ({
    parameter: parameterOf(filter),
    values: filter.values.map((written) => readingOf(index, filter, written)),
    total: prepareSelection(index, { filters: [filter], ids: undefined, words: [] }).find().set.count,
  }))
}

function parameterOf({ subject, key, operator }: Filter): string {
  const name = subject === 'spec' ? `spec[${key}]` : subject
  const suffix = operators.find((row) => row.operator === operator)?.suffix
  return suffix === undefined ? name : `${name}[${suffix}]`
}

function readingOf(index: WatchIndex, { subject, key, operator }: Filter, written: string): ValueReading {
  if (operator === 'exists') return { written, read_as: written, kind: 'boolean' }
  switch (subject) {
    case 'spec':
    case 'collection': {
      const reading = index.vocabulary.read(subject === 'spec' ? key : collectionKey, written)
      if (operator !== 'exact') return { written, read_as: reading.shown, kind: reading.kind }
      // The first letter of an exact reading is its kind.
      const kind = reading.exact.startsWith('n') ? 'number' : 'text'
      return { written, read_as: reading.exact.slice(1), kind }
    }
    case 'brand': {
      const names = index.brands.idsOf(written).map((id) => index.brands.find(id)?.name)
      return { written, read_as: names.join(' or ') || 'no brand', kind: 'brand' }
    }
    case 'reference_number':
      return { written, read_as: foldReference(written), kind: 'reference' }
    default:
      return { written, read_as: String(Number(written)), kind: 'number' }
  }
}
