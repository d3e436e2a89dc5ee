// Renders the filter on the home page: a form with a few filters, the watches they find, and the API call. The form
// works without a script; a script only saves the reload.

import { type Html, html } from '../layout/html.ts'
import type { ShortList } from './explore-data.ts'
import { shortResults } from './explore-results.ts'

export interface LiveFilter {
  /** The values of the fields, by field name. */
  readonly values: Readonly<Record<string, string>>
  readonly colors: readonly string[]
  /** Undefined when the query is not valid. */
  readonly list: ShortList | undefined
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** The names of the fields: the API's query parameters. */
export const liveNames = {
  text: 'q',
  color: 'spec[dial_color]',
  resistance: 'spec[water_resistance][gte]',
  price: 'retail_price_usd[lte]',
} as const

/** The name of each field in the API's error messages. */
const errorNames: Readonly<Record<string, string>> = {
  [liveNames.text]: 'q',
  [liveNames.color]: 'spec.dial_color',
  [liveNames.resistance]: 'spec.water_resistance',
  [liveNames.price]: 'retail_price_usd',
}

export function liveFilter(baseUrl: string, filter: LiveFilter): Html {
  const { colors, list } = filter
  return html`<form class="live" method="get" action="/#live" role="search" data-live="live-results">
${field(filter, liveNames.text, 'Search', 'Speedmaster')}
<div class="field">
<label for="live-color">Dial color</label>
<select id="live-color" name="${liveNames.color}">
<option value="">Any</option>
${colors.map((color) => html`<option${color === filter.values[liveNames.color] && html` selected`}>${color}</option>`)}
</select>
</div>
${field(filter, liveNames.resistance, 'Water resistance from', '10 bar')}
${field(filter, liveNames.price, 'Retail price up to (USD)', '10000')}
<button class="button" type="submit">Find</button>
</form>
<p class="unseen" role="status" id="live-results-said"></p>
<div id="live-results">
${list === undefined ? html`<p class="advice">This query is not valid. See the message at the field.</p>` : shortResults('live', baseUrl, list)}
</div>`
}

function field({ values, errors }: LiveFilter, name: string, label: string, example: string): Html {
  const id = `live-${label
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '')}`
  const wrong = errors[errorNames[name] ?? '']?.join(' ')
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${values[name] ?? ''}" placeholder="${example}" autocomplete="off"${
    wrong !== undefined && html` aria-invalid="true" aria-describedby="${id}-about"`
  }>
${wrong !== undefined && html`<p class="error" id="${id}-about">${wrong}</p>`}
</div>`
}
