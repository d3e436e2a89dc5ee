// In charge of the part of the docs page that says how to find watches: the parameters of a list, the operators of
// filters, and what values are taken to mean.

import { codeBlock, withCode } from './block.ts'
import type { DocsData, DocsExample } from './docs-data.ts'
import { curlRequest, exampleBlocks } from './docs-example.ts'
import { parametersTable, sameValuesTable, sample, twoColumns } from './docs-tables.ts'
import { type Child, type Html, html } from './html.ts'
import { apiAddress } from './request.ts'

export function parameters({ reference }: DocsData): Html {
  return html`<p>Every list of watches takes these and the <a href="#filters">filters</a>; each one that selects narrows the list further. A parameter that is not valid is refused with 422 and a sentence; one that is not known is ignored.</p>
${parametersTable('Parameters of a list of watches', reference.parameters)}`
}

export function filters({ baseUrl, reference }: DocsData): Html {
  const { operators, limits } = reference
  return html`<p>Any key of <code>specs</code> is a filter. Filters on different keys must all match.</p>
${twoColumns(
  'Filter operators',
  ['Written', 'Meaning'],
  operators.map(({ written, meaning, example }) => [
    html`<code>${written}</code>`,
    html`${withCode(meaning)}${sample(example)}`,
  ]),
)}
${codeBlock('Request', curlRequest(baseUrl, '/watches?spec[dial_color]=Black&spec[water_resistance][gte]=100%20m'))}
<p>Brackets may be sent as they are or as <code>%5B</code> and <code>%5D</code>. In an address on its command line curl reads them itself, unless it is told <code>-g</code>.</p>
<p>A request may have ${limits.filters} filters, a key ${limits.keyLength} characters, a value ${limits.valueLength}.</p>`
}

export function comparison({ reference }: DocsData): Html {
  const misspelled = findExample(reference.endpoints, 'unknown_key')
  const [header] = misspelled?.headers ?? []
  return html`<p>A filter compares the whole value. Case, white space and Unicode form do not matter; numbers compare as numbers, so that <code>42</code> is <code>42.0</code>.</p>
<p>A list matches by any of its elements, a boolean as <code>true</code> or <code>false</code>. What is missing or <code>null</code> never matches.</p>
<p>Whatever value the API returns, sent back as the filter for its key, finds the watch it came from.</p>
<p>A key that no watch has is no error: the list is empty. A header then names the key, and the one that may have been meant:</p>
${header && codeBlock('Header of the answer', `${header.name}: ${header.value}`)}`
}

export function units({ reference }: DocsData): Html {
  return html`<p>Keys that measure something are read as number and unit, on both sides, by the equivalences of the trade: 1 bar is 10 m, and feet are the metres that makers mark beside them. A bare number is in the unit of its key. What was stored is returned as it is.</p>
${sameValuesTable('Quantities that are the same', reference.sameQuantities)}
${twoColumns(
  'Units',
  ['Units', 'Keys'],
  reference.quantities.map(({ units, keys }) => [codes(units), keys.map(quantityKeys)]),
)}
<p>Other keys are known by how they end, such as <code>_diameter</code>: <a href="#list-spec-keys"><code>/specs</code></a> tells the <code>unit</code> of every key. What cannot be read as a quantity compares as text.</p>`
}

export function synonyms({ reference }: DocsData): Html {
  return html`<p>Names that the trade uses for one thing find each other.</p>
${sameValuesTable('Synonyms', reference.synonyms)}
<p>The operator of the service can edit the table: see <code>SYNONYMS_FILE</code> in the <a href="#settings">settings</a>. <code>spec[key][exact]=value</code> leaves synonyms and units aside, and <a href="#explain"><code>explain=1</code></a> tells how each value was read.</p>`
}

export function extras({ baseUrl, reference }: DocsData): Html {
  const shown = (name: string) => {
    const example = findExample(reference.endpoints, name)
    return example && exampleBlocks(baseUrl, example)
  }
  return html`<h3 id="sort">Sort and fields</h3>
<p>What has no price comes last, whichever way the list is sorted. <code>fields</code> keeps the answer small: name whole fields, or single keys as <code>specs.dial_color</code>.</p>
${shown('fields')}
<h3 id="facets">Facets</h3>
<p>The values of a key with their counts, as a shop shows them beside its list. They are counted under all filters but those on the key itself, so that the other choices stay in sight.</p>
${shown('facets')}
<h3 id="explain">Explain</h3>
<p>How each filter was read, and how many watches match it alone. For when a list is not what you expected.</p>
${shown('explain')}`
}

export function paging({ baseUrl }: DocsData): Html {
  const link = (page: number, rel: string) =>
    `<${apiAddress(baseUrl)}/watches?page=${page}&per_page=25>; rel="${rel}"`
  return html`<p>The <code>Link</code> header has the addresses of the neighbouring pages, with everything else you asked for. Follow <code>next</code> until it is missing.</p>
${codeBlock('Link header of page 2, one address per line', [link(1, 'first'), link(1, 'prev'), link(3, 'next'), '…'].join(',\n'))}`
}

function findExample(endpoints: DocsData['reference']['endpoints'], name: string): DocsExample | undefined {
  return endpoints[0]?.examples.find((example) => example.name === name)
}

function quantityKeys({ unit, names }: { unit: string; names: readonly string[] }, at: number): Child {
  return html`<span class="line">${at > 0 && html`in ${unit}: `}${codes(names)}</span>`
}

function codes(words: readonly string[]): Html {
  return html`${words.map((word, at) => html`${at > 0 && ', '}<code>${word}</code>`)}`
}
