// Builds the range filters of a list: prices, and the quantities and numbers that most watches have. Each is a pair
// of form fields whose names are API parameters.
import { isDeepStrictEqual } from 'node:util'
import type { Range } from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import { listKeys, type SpecKey } from '../../../search/results/spec-keys.ts'
import { fieldOf, type Part, survivesForm } from './address.ts'
import type { ListPlace } from './facets.ts'

const rangeKeysMax = 5
/** With fewer values there is no choice. */
const valuesMin = 2
/** Keys considered, the most frequent first. */
const keysMax = 500
const exampleLengthMax = 12

/** Prices first, then the quantities and numbers that most watches have. */
export function describeRanges({ index, parts }: ListPlace): readonly Range[] {
  const priceRanges = ['retail_price_usd', 'current_market_price'].map((field) => ({
    label: labelOf(field),
    unit: 'USD',
    ...rangeEnds(parts, field, [], field === 'retail_price_usd' ? ['1000', '5000'] : ['500', '10000']),
    hint: undefined,
  }))
  const asked = new Set(parts.map(({ name, path: [key = ''] }) => (name === 'spec' ? key : '')))
  const numeric = listKeys(index)
    .slice(0, keysMax)
    .filter(({ type, key }) => (type === 'quantity' || type === 'number') && survivesForm(key))
  const chosen = numeric.filter(({ values_count }, at) => at < rangeKeysMax && values_count >= valuesMin)
  const more = numeric.filter((key) => asked.has(key.key) && !chosen.includes(key))
  return [...priceRanges, ...[...chosen, ...more].map((key) => specRange(parts, key))]
}

function specRange(parts: readonly Part[], { key, unit, examples }: SpecKey): Range {
  const written = examples.map(String).filter((example) => example.length <= exampleLengthMax)
  const [from = '', to = from] = written
    .slice(0, 2)
    .sort((one, other) => Number.parseFloat(one) - Number.parseFloat(other))
  return {
    label: labelOf(key),
    unit: unit ?? undefined,
    ...rangeEnds(parts, 'spec', [key], [from, to]),
    hint: hints.get(unit ?? ''),
  }
}

function rangeEnds(
  parts: readonly Part[],
  name: string,
  path: readonly string[],
  examples: readonly [string, string],
) {
  const end = (suffix: string, example: string) => {
    const ownPath = [...path, suffix]
    const given = parts.find((part) => part.name === name && isDeepStrictEqual(part.path, ownPath))
    return { name: fieldOf({ name, path: ownPath }), value: given?.value ?? '', example }
  }
  return { from: end('gte', examples[0]), to: end('lte', examples[1]) }
}

/** Other units that the parser accepts, as a hint below the fields. */
const hints: ReadonlyMap<string, string> = new Map([
  ['m', '10 bar and 330 ft work too'],
  ['mm', '4.2 cm and 1.65 in work too'],
  ['h', '3 days works too'],
  ['Hz', '28,800 vph works too'],
  ['g', '0.1 kg works too'],
  ['A/m', '1000 gauss works too'],
])
