// In charge of the documentation page. The errors and the settings come from the tables the service itself runs
// by, so this page cannot say something else than the service does.

import { codeBlock, table, withCode } from './block.ts'
import { type Child, type Html, html } from './html.ts'
import type { Instance } from './instance.ts'
import { highlightJson, listAnswer } from './json.ts'
import { page } from './layout.ts'
import { apiAddress, curlExample } from './request.ts'

export interface DocsData extends Pick<Instance, 'baseUrl' | 'watches' | 'example'> {
  problems: readonly DocsProblem[]
  settings: readonly DocsSetting[]
}

interface DocsProblem {
  status: number
  message: string
  when: string
}

interface DocsSetting {
  env: string
  type: string
  default: string
  help: string
}

export function docsPage(data: DocsData): string {
  const sections = docsSections.map(([id, name, content]) => ({ id, name, content: content(data) }))
  return page(
    { title: 'Docs', description: 'How to ask the watchdata API, and how to run it.', path: '/docs' },
    html`<div class="docs">
<h1>Docs</h1>
<nav class="contents" aria-labelledby="contents">
<h2 id="contents">On this page</h2>
<ol>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ol>
</nav>
<article class="stack">
${sections.map(
  ({ id, name, content }) => html`<section class="stack" aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${name}</a></h2>
${content}
</section>
`,
)}</article>
</div>`,
  )
}

type Section = readonly [id: string, name: string, content: (data: DocsData) => Html]

const docsSections: readonly Section[] = [
  ['start', 'Getting started', gettingStarted],
  ['paging', 'Paging', paging],
  ['watch', 'Watch fields', watchFields],
  ['errors', 'Errors', errors],
  ['request-ids', 'Request ids', requestIds],
  ['settings', 'Settings for operators', settings],
]

function gettingStarted(data: DocsData): Html {
  return html`<p>The base address of the API is</p>
${codeBlock('Base address', apiAddress(data.baseUrl))}
<p>Every request carries an API key in the <code>Authorization</code> header, as <code>Bearer</code> and the key. <code>npm start</code> prints a demo key that works at once.</p>
${codeBlock('Request', curlExample(data.baseUrl))}
<p>Answers are JSON. A list has two members: <code>data</code>, the watches of this page, and <code>meta</code>, which says where the page stands in the whole.</p>
${codeBlock('Answer', highlightJson(listAnswer(data)))}
${table('Members of meta', jsonMember, [
  [html`<code>current_page</code>`, 'integer', 'The page you are reading'],
  [html`<code>per_page</code>`, 'integer', 'How many watches a page holds'],
  [html`<code>total</code>`, 'integer', 'How many watches match, on all pages together'],
])}`
}

function paging({ baseUrl }: DocsData): Html {
  const link = (page: number, rel: string) =>
    `<${apiAddress(baseUrl)}/watches?page=${page}&per_page=25>; rel="${rel}"`
  return html`${table(
    'Paging parameters',
    [{ name: 'Parameter' }, { name: 'Default' }, { name: 'Meaning' }],
    [
      [
        html`<code>page</code>`,
        '1',
        'Which page, counted from 1. Past the end, data is empty and total stays true.',
      ],
      [html`<code>per_page</code>`, '25', 'How many watches a page holds, from 1 to 100.'],
    ],
  )}
<p>The <code>Link</code> header has the addresses of the neighbouring pages. Follow <code>next</code> until it is missing.</p>
${codeBlock('Link header of page 2, one address per line', [link(1, 'first'), link(1, 'prev'), link(3, 'next'), '…'].join(',\n'))}`
}

function watchFields(): Html {
  return html`${table(
    'Watch fields',
    jsonMember,
    fieldRows.map(([name, type, notes]) => [html`<code>${name}</code>`, type, notes]),
  )}
<p>A price that is not known is <code>null</code>. <code>specs</code> can hold any key; these are common:</p>
<ul class="words">${commonSpecs.map((key) => html`<li><code>${key}</code></li>`)}</ul>`
}

function errors({ problems }: DocsData): Html {
  return html`<p>Every error is JSON and has a <code>message</code>. When parameters are not valid, <code>errors</code> also lists what is wrong with each.</p>
${codeBlock('An answer with status 422', highlightJson(invalidExample))}
${table(
  'Errors',
  [{ name: 'Status' }, { name: 'Message' }, { name: 'When' }],
  problems.map(({ status, message, when }) => [String(status), message, withCode(when)]),
)}`
}

function requestIds(): Html {
  return html`<p>Every answer carries an <code>X-Request-Id</code>. Send one with your request and it comes back; send none and the service makes one. A fault of the service is logged under it, so quote it when you report one.</p>`
}

function settings({ settings }: DocsData): Html {
  return html`<p>For whoever runs the service. Settings are read from the environment once, at start.</p>
${table(
  'Settings',
  [{ name: 'Variable' }, { name: 'Type' }, { name: 'Default' }, { name: 'Meaning' }],
  settings.map((setting) => [
    html`<code>${setting.env}</code>`,
    setting.type,
    defaultValue(setting.default),
    withCode(setting.help),
  ]),
)}`
}

function defaultValue(value: string): Child {
  return value === '' ? '–' : html`<code>${value}</code>`
}

const jsonMember = [{ name: 'Field' }, { name: 'Type' }, { name: 'Meaning' }]

const fieldRows = [
  ['id', 'integer', 'Identifier of the watch'],
  ['brand', 'string', 'Brand name'],
  ['collection', 'string', 'Collection name'],
  ['reference_number', 'string', 'Manufacturer’s reference'],
  ['retail_price_usd', 'number or null', 'Retail price, in US dollars'],
  ['current_market_price', 'number or null', 'Current market price'],
  ['specs', 'object', 'Specification attributes'],
  ['updated_at', 'string', 'When the watch last changed, RFC 3339 in UTC'],
] as const

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

const invalidExample = `{
  "message": "The given data was invalid.",
  "errors": {
    "per_page": ["The per page must be between 1 and 100."]
  }
}`
