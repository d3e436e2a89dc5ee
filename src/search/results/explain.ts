// Implements the `explain` parameter: how each filter was interpreted, and how many watches it matches alone.
import { foldReference } from '../../specs/fold.ts'
import type { Reading } from '../../specs/vocabulary.ts'
import { collectionKey } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { parameterNames } from '../query/operators.ts'
import type { Filter } from '../query/watch-query.ts'
import { explainText, type TextKind } from '../text/explain-text.ts'
import { findTextOf, prepareSelection, type Selection } from './find-matches.ts'

export interface FilterReading {
  /** The parameter as it is written before the `=`, such as `spec[dial_color][not]`. */
  readonly parameter: string
  /** The same in one level: `spec[dial_color:not]`. */
  readonly one_level: string
  readonly values: readonly ValueReading[]
  /** Watches that match this filter alone. */
  readonly total: number
}

interface ValueReading {
  readonly written: string
  readonly read_as: string
  readonly kind: Reading['kind'] | TextKind | 'boolean'
}

export function explainFilters(
  index: WatchIndex,
  { filters, text }: Pick<Selection, 'filters' | 'text'>,
): FilterReading[] {
  const readings = filters.map((filter) => ({
    ...parametersOf(filter),
    values: filter.values.map((written) => readingOf(index, filter, written)),
    total: prepareSelection(index, { filters: [filter], ids: undefined }).find().set.count,
  }))
  if (text === undefined) return readings
  const values = explainText(index, findTextOf(index, text))
  const { count: total } = prepareSelection(index, { filters: [], ids: undefined, text }).find().set
  return [...readings, { parameter: 'q', one_level: 'q', values, total }]
}

function parametersOf(filter: Filter): Pick<FilterReading, 'parameter' | 'one_level'> {
  const { nested, oneLevel } = parameterNames(filter)
  return { parameter: nested, one_level: oneLevel }
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
