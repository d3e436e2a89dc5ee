// Turns fields and spec keys into labels: `water_resistance` → Water resistance. Names watches, of which some have no
// collection or reference.
import { type Html, html } from '../layout/html.ts'
import type { WatchRow } from './explore-data.ts'

type Named = Pick<WatchRow, 'id' | 'brand' | 'collection' | 'reference'>

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

/** `Omega Speedmaster 310.30.42.50.01.001`. */
export function watchName({ brand, collection, reference }: Named): string {
  return [brand, collection, reference].filter((name) => name !== '').join(' ')
}

/** The text of a link to the watch, below its brand. Never empty, so that the link can be seen. */
export function watchTitle({ id, collection, reference }: Named): Html {
  if (collection === '' && reference === '') return html`Watch ${id}`
  return html`${collection} <span class="reference">${reference}</span>`
}
