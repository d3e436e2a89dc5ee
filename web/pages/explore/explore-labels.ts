// Turns fields and spec keys into labels: `water_resistance` → Water resistance.

const fieldLabels: ReadonlyMap<string, string> = new Map([
  ['retail_price_usd', 'Retail price'],
  ['current_market_price', 'Market price'],
  ['reference_number', 'Reference'],
])

export function labelOf(key: string): string {
  const known = fieldLabels.get(key)
  if (known !== undefined) return known
  const spaced = key.replaceAll('_', ' ').trim()
  if (spaced === '') return key
  const [first = '', ...rest] = spaced
  return first.toUpperCase() + rest.join('')
}
