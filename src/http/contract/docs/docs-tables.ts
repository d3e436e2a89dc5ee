// Generates the parts of the docs that come from the code, as Markdown by the name of their marker: tables, rules,
// examples, the list of pages, the endpoints. `npm run docs` writes them into docs/, and a test keeps them up to
// date. Parts that depend on the instance are generated again for the served pages.
import { docsEntries } from '../../../../web/pages/docs/docs-pages.ts'
import { formatNumber, formatUsd } from '../../../../web/pages/layout/format.ts'
import type { Plan } from '../../../../web/pages/layout/instance.ts'
import { settingRows } from '../../../config.ts'
import { type ProblemKind, problems } from '../../../errors.ts'
import { listParameters, operators, queryLimits } from '../../../search/query/operators.ts'
import type { Nicknames } from '../../../specs/nicknames.ts'
import type { Synonyms } from '../../../specs/synonyms.ts'
import { findScale, quantityKeys } from '../../../specs/units.ts'
import { quotaRules } from '../operations/quota-rules.ts'
import {
  answerHeaders,
  type HeaderRow,
  quotaHeaders,
  requestHeaders,
} from '../operations/response-headers.ts'
import { code, markdownTable, operatorsTable } from './markdown-table.ts'
import type { Reference } from './reference.ts'
import { endpointsText, exampleText, fieldsText, parametersText } from './reference-text.ts'

/** The base URL in the files of docs/. Served pages have the URL of the instance instead. */
export const localAddress = 'http://localhost:8080'

/** The data that differs between instances. */
export interface DocsFacts {
  readonly plans: readonly Plan[]
  readonly synonyms: Pick<Synonyms, 'groups'>
  readonly nicknames: Pick<Nicknames, 'brands' | 'filters' | 'watches'>
}

/** By the first word of a marker; the function gets the remaining words. */
export type DocsTables = Readonly<Record<string, (argument: string) => string>>

export function docsTables(reference: Reference, { plans, synonyms, nicknames }: DocsFacts): DocsTables {
  return {
    settings: settingsTable,
    errors: problemsTable,
    operators: () => operatorsTable(operators),
    parameters: () => parametersText(listParameters),
    'query-limits': () =>
      `Limits: ${queryLimits.filters} filters per request, ${queryLimits.keyLength} characters per key, ${queryLimits.valueLength} per value.`,
    'same-quantities': () =>
      markdownTable([
        ['key', 'equal values'],
        ...sameQuantities.map(({ key, values }) => [code(key), values.map(code).join(' = ')]),
      ]),
    units: unitsTable,
    synonyms: () => synonymsTable(synonyms),
    nicknames: () => nicknamesTables(nicknames),
    plans: () => plansTable(plans),
    'quota-rules': () => quotaRules.map((rule) => `- ${rule}`).join('\n'),
    'quota-headers': () => headersTable(aboutQuota),
    'answer-headers': () =>
      headersTable(Object.values(answerHeaders).filter((row) => !aboutQuota.includes(row))),
    'request-headers': () => headersTable(Object.values(requestHeaders)),
    fields: (name) => fieldsText(reference, name),
    example: (name) => exampleText(reference, localAddress, name),
    pages: pagesList,
    endpoints: () => endpointsText(reference, localAddress),
  }
}

/** Some examples of equal quantities. A test checks each against the service. */
export const sameQuantities = [
  { key: 'water_resistance', values: ['100 m', '10 bar', '10 ATM', '330 ft', '100'] },
  { key: 'power_reserve', values: ['72 h', '3 days', 'approx. 72 hours'] },
  { key: 'case_diameter', values: ['42 mm', '4.2 cm', '42'] },
  { key: 'frequency', values: ['4 Hz', '28,800 vph', '28800 A/h'] },
]

const aboutQuota: readonly HeaderRow[] = [
  ...quotaHeaders.map((header) => answerHeaders[header]),
  answerHeaders.retryAfter,
]

function plansTable(plans: readonly Plan[]): string {
  const granted = (name: string, grant: string, extent: (plan: Plan) => string = () => 'Yes') => [
    name,
    ...plans.map((plan) => (plan.grants.includes(grant) ? extent(plan) : 'No')),
  ]
  return markdownTable([
    ['plan', ...plans.map(({ name }) => name)],
    ['Requests per day', ...plans.map(({ requestsPerDay }) => formatNumber(requestsPerDay))],
    ['Price per month', ...plans.map(({ usdPerMonth }) => formatUsd(usdPerMonth))],
    granted('Watches, brands, specs', 'catalogue'),
    granted('Price history', 'prices', ({ priceHistoryDays: days }) =>
      days === undefined ? 'All' : `${formatNumber(days)} days`,
    ),
    granted('Change feed', 'changes'),
    granted('Webhooks', 'webhooks', ({ webhooksMax }) => formatNumber(webhooksMax)),
    granted('Export', 'export'),
    granted('Resolve 100 texts at once', 'resolve'),
  ])
}

function settingsTable(): string {
  const rows = settingRows().map((row) => [code(row.env), code(row.default), row.type, row.help])
  return markdownTable([['setting', 'default', 'type', 'meaning'], ...rows])
}

function problemsTable(): string {
  const rows = Object.values(problems).map(({ status, message, when }: ProblemKind) => [
    String(status),
    code(message),
    when,
  ])
  return markdownTable([['status', 'message', 'when'], ...rows])
}

function headersTable(rows: readonly HeaderRow[]): string {
  return markdownTable([['header', 'meaning'], ...rows.map(({ name, meaning }) => [code(name), meaning])])
}

/** Groups of keys that share their units, divided by the unit that each key is read in. */
function unitsTable(): string {
  const scales = quantityKeys.map((key) => ({ key, ...findScale(key) }))
  const rows = [...Map.groupBy(scales, ({ bySpelling }) => bySpelling)].map(([bySpelling, ofUnits]) => {
    const units = new Set(bySpelling?.values().map(({ name }) => code(name)))
    const byUnit = [...Map.groupBy(ofUnits, ({ unit }) => unit?.name)].map(([unit, those], at) => {
      const keys = those.map(({ key }) => code(key)).join(', ')
      return at > 0 ? `in ${unit}: ${keys}` : keys
    })
    return [[...units].join(', '), byUnit.join('; ')]
  })
  return markdownTable([['units', 'keys'], ...rows])
}

/** Enough to show the principle; all groups would be longer than the page. */
const groupsShownMax = 8
const spellingsShownMax = 4

function synonymsTable({ groups }: Pick<Synonyms, 'groups'>): string {
  const sections = Map.groupBy(groups, ({ keys }) => keys.join(', '))
  const rows = [...sections.values()].map((ofSection) => {
    const keys = ofSection[0]?.keys ?? []
    const shown = ofSection.slice(0, groupsShownMax)
    const left = ofSection.length - shown.length
    const equal = shown.map(({ spellings }) => equalSpellings(spellings))
    const rest = left > 0 ? [`and ${formatNumber(left)} more`] : []
    return [keys.map(keyName).join(', '), [...equal, ...rest].join('; ')]
  })
  return markdownTable([['key', 'equal values'], ...rows])
}

const nicknamesShownMax = 20

function nicknamesTables({ brands, filters, watches }: DocsFacts['nicknames']): string {
  const listed = (names: readonly string[]) => {
    const left = names.length - nicknamesShownMax
    const shown = names.slice(0, nicknamesShownMax).map(code).join(', ')
    return left > 0 ? `${shown} and ${formatNumber(left)} more` : shown
  }
  const byBrand = [...Map.groupBy(watches, ({ brand }) => brand)].map(([brand, own]) => [
    brand,
    listed([...new Set(own.map(({ names }) => names[0] ?? ''))]),
  ])
  const byFilter = filters.map(({ names, query }) => [code(query), listed(names)])
  return [
    markdownTable([['brand', 'nicknames'], ...byBrand]),
    markdownTable([['filter', 'words'], ...byFilter]),
    `Short names of brands: ${brands.map(([name = '', ...others]) => `${others.map(code).join(', ')} for ${name}`).join('; ')}.`,
  ].join('\n\n')
}

function equalSpellings(spellings: readonly string[]): string {
  const shown = spellings.slice(0, spellingsShownMax).map(code)
  return [...shown, ...(spellings.length > shown.length ? ['…'] : [])].join(' = ')
}

function keyName(key: string): string {
  if (key === '*') return 'every key'
  return key === 'words' ? 'single words, wherever they occur' : code(key)
}

function pagesList(): string {
  return docsEntries.map(({ file, name, summary }) => `- [${name}](${file}): ${summary}`).join('\n')
}
