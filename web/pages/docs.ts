// In charge of the documentation page: its sections, their order and the way to them. What it says of endpoints,
// filters, errors and settings comes from the tables the service itself runs by, so it cannot say something else.

import { codeBlock, withCode } from './block.ts'
import { contents, type SectionGroup } from './docs-contents.ts'
import { keepCopy } from './docs-copy.ts'
import type { DocsData } from './docs-data.ts'
import { endpoints } from './docs-endpoints.ts'
import { comparison, extras, filters, paging, parameters, synonyms, units } from './docs-filters.ts'
import { browsers, conditional, errors, headers } from './docs-http.ts'
import { quotas } from './docs-quotas.ts'
import { fieldsTable, twoColumns } from './docs-tables.ts'
import { webhooks } from './docs-webhooks.ts'
import { type Html, html } from './html.ts'
import { highlightJson, listAnswer } from './json.ts'
import { page } from './layout.ts'
import { apiAddress, curlExample } from './request.ts'

export function docsPage(data: DocsData): string {
  return page(
    { title: 'Docs', description: 'How to ask the watchdata API, and how to run it.', path: '/docs' },
    html`<div class="docs">
<h1>Docs</h1>
${contents(docsGroups, data)}
<article class="stack">
${docsGroups
  .flatMap(([, sections]) => sections)
  .map(
    ([id, name, content]) => html`<section class="stack" aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${name}</a></h2>
${content(data)}
</section>
`,
  )}</article>
</div>`,
  )
}

const docsGroups: readonly SectionGroup[] = [
  [
    'Start',
    [
      ['start', 'Getting started', gettingStarted],
      ['watch', 'Watch fields', watchFields],
    ],
  ],
  [
    'Find watches',
    [
      ['parameters', 'Parameters of a list', parameters],
      ['filters', 'Filters', filters],
      ['comparison', 'How values compare', comparison],
      ['units', 'Units', units],
      ['synonyms', 'Synonyms', synonyms],
      ['extras', 'Sort, facets, explain', extras],
      ['paging', 'Paging', paging],
    ],
  ],
  [
    'Follow changes',
    [
      ['copy', 'Keep a copy', keepCopy],
      ['webhooks', 'Webhooks', webhooks],
    ],
  ],
  [
    'Reference',
    [
      ['endpoints', 'Endpoints', endpoints],
      ['quotas', 'Quotas and plans', quotas],
      ['conditional', 'Conditional requests', conditional],
      ['browsers', 'From a browser', browsers],
      ['headers', 'Headers', headers],
      ['errors', 'Errors', errors],
      ['settings', 'Settings for operators', settings],
    ],
  ],
]

function gettingStarted(data: DocsData): Html {
  const meta = data.reference.schemas.find(({ name }) => name === 'Meta')
  return html`<p>The base address of the API is</p>
${codeBlock('Base address', apiAddress(data.baseUrl))}
<p>Every request carries an API key in the <code>Authorization</code> header, as <code>Bearer</code> and the key. <code>npm start</code> prints a demo key that works at once.</p>
${codeBlock('Request', curlExample(data.baseUrl))}
<p>Answers are JSON. A list has two members: <code>data</code>, the watches of this page, and <code>meta</code>, which says where the page stands in the whole.</p>
${codeBlock('Answer', highlightJson(listAnswer(data)))}
${meta && fieldsTable(meta)}
<p>All of this page is in <a href="/openapi.json">/openapi.json</a> too, for programs: an OpenAPI 3.1 document, which needs no key. Within v1 things are only added, so ignore the fields you do not know.</p>`
}

function watchFields({ reference }: DocsData): Html {
  const watch = reference.schemas.find(({ name }) => name === 'Watch')
  return html`${watch && fieldsTable(watch)}
<p><code>specs</code> can hold any key; <a href="#list-spec-keys"><code>/specs</code></a> lists them all. These are common:</p>
<ul class="words">${commonSpecs.map((key) => html`<li><code>${key}</code></li>`)}</ul>`
}

function settings({ settings }: DocsData): Html {
  return html`<p>For whoever runs the service. Settings are read from the environment once, at start.</p>
${twoColumns(
  'Settings',
  ['Variable', 'Meaning'],
  settings.map(({ env, type, default: unset, help }) => [
    html`<code>${env}</code><span class="kind">${type}</span>`,
    html`${withCode(help)}${unset !== '' && html`<span class="kind">Default <code>${unset}</code></span>`}`,
  ]),
)}`
}

const commonSpecs = [
  'movement_type',
  'case_material',
  'dial_color',
  'water_resistance',
  'crystal',
  'power_reserve',
  'case_shape',
  'bracelet_material',
]
