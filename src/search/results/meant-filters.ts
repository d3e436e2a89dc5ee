// Finds filters whose value no watch has, but which mean something in another spelling: `spec[dial_color]=Black,Blue` is
// one value with a comma, `spec[case_diameter]=38-40` a text. Both find nothing, or with `not` leave nothing out.
import type { WatchIndex } from '../index/watch-index.ts'
import { isPrice, parameterNames, queryLimits } from '../query/operators.ts'
import { parseBoolean } from '../query/parameters.ts'
import type { Filter, Operator } from '../query/watch-query.ts'
import { prepareSelection } from './find-matches.ts'

/** The name and value of a parameter. */
export type Meant = readonly [name: string, value: string]

/** Of a query: each takes some look-ups. */
const filtersMax = 5
const separators = /[,;|]/
const rangeShape = /^\s*(\d[\d.]*)\s*(?:-|–|\.\.+|to)\s*(\d[\d.]*)\s*([a-z]*)\s*$/i

/** Returns the parameters to send instead of the filters; none where they mean what they say. */
export function meantFilters(index: WatchIndex, filters: readonly Filter[]): readonly Meant[] {
  return filters.slice(0, filtersMax).flatMap((filter) => {
    if (isPrice(filter.subject) || !['is', 'any', 'not'].includes(filter.operator)) return []
    const list = meantList(index, filter)
    return list.length > 0 || filter.operator !== 'is' ? list : meantValue(index, filter)
  })
}

function meantList(index: WatchIndex, filter: Filter): readonly Meant[] {
  const values = filter.values.flatMap((value) => {
    const parts = value.split(separators, queryLimits.filters).map((part) => part.trim())
    const isList = parts.length > 1 && !value.includes('=') && !isFound(index, filter, value)
    return isList && parts.some((part) => isFound(index, filter, part)) ? parts : [value]
  })
  if (values.length === filter.values.length) return []
  const name = nameOf(filter, filter.operator === 'not' ? 'not' : 'any')
  const several = filter.operator === 'not' ? `${name}[]` : name
  return values.filter((value) => value !== '').map((value) => [several, value])
}

function meantValue(index: WatchIndex, filter: Filter): readonly Meant[] {
  const [value = ''] = filter.values
  if (isFound(index, filter, value)) return []
  const others = [parseBoolean(value), decoded(value)].filter((other) => other !== undefined).map(String)
  const other = others.find((one) => isFound(index, filter, one))
  if (other !== undefined) return [[nameOf(filter, 'is'), other]]
  const [, from, to, unit = ''] = rangeShape.exec(value) ?? []
  if (filter.subject !== 'spec' || from === undefined || to === undefined) return []
  const [low, high] = [from, to].map((bound) => `${bound} ${unit}`.trim()) as [string, string]
  // Not looked up: to make the sets of a range takes long.
  const isRange = [low, high].every((bound) => index.read(filter.key, bound).number !== undefined)
  if (!isRange || !index.hasKey(filter.key)) return []
  return [
    [nameOf(filter, 'gte'), low],
    [nameOf(filter, 'lte'), high],
  ]
}

/** A value that was encoded twice. */
function decoded(value: string): string | undefined {
  if (!/%[\da-f]{2}/i.test(value)) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function nameOf({ subject, key }: Filter, operator: Operator): string {
  return parameterNames({ subject, key, operator }).nested
}

function isFound(index: WatchIndex, filter: Filter, value: string): boolean {
  if (value === '') return false
  const filters = [{ ...filter, operator: 'is', values: [value] }] as const
  return prepareSelection(index, { filters, ids: undefined }).find().set.count > 0
}
