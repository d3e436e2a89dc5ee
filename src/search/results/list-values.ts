// Finds filters whose value was meant as a list: `spec[dial_color]=Black,Blue` is one value with a comma, which no watch
// has, while watches have the values between the commas.
import type { WatchIndex } from '../index/watch-index.ts'
import { parameterNames, queryLimits } from '../query/operators.ts'
import type { Filter } from '../query/watch-query.ts'
import { prepareSelection } from './find-matches.ts'

/** The parameters to send instead, such as `spec[dial_color][]=Black`; none where a watch has the value as it is. */
export function listsMeant(
  index: WatchIndex,
  filters: readonly Filter[],
): readonly (readonly [string, string])[] {
  return filters.flatMap((filter) => {
    const { subject, key, operator, values } = filter
    const [value = ''] = values
    if (subject !== 'spec' || operator !== 'is' || !/[,;|]/.test(value)) return []
    const parts = value.split(/[,;|]/, queryLimits.filters).map((part) => part.trim())
    const isMeant = (text: string) => text !== '' && isFound(index, { ...filter, values: [text] })
    if (isMeant(value) || !parts.some(isMeant)) return []
    const { nested } = parameterNames({ subject, key, operator: 'any' })
    return parts.filter((part) => part !== '').map((part) => [nested, part] as const)
  })
}

function isFound(index: WatchIndex, filter: Filter): boolean {
  return prepareSelection(index, { filters: [filter], ids: undefined }).find().set.count > 0
}
