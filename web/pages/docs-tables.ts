// In charge of the tables that the docs page has more than one of. They have two columns, so that on a narrow screen
// the second can stand below the first.

import { table, withCode } from './block.ts'
import type { DocsHeader, DocsParameter, DocsSchema, SameValues } from './docs-data.ts'
import { formatNumber } from './format.ts'
import { type Child, type Html, html } from './html.ts'

export function twoColumns(
  label: string,
  names: readonly [string, string],
  rows: readonly (readonly [Child, Child])[],
): Html {
  return html`<div class="two-columns">${table(
    label,
    names.map((name) => ({ name })),
    rows,
  )}</div>`
}

export function parametersTable(label: string, parameters: readonly DocsParameter[]): Html {
  return twoColumns(
    label,
    ['Parameter', 'Meaning'],
    parameters.map((parameter) => [
      html`<code>${parameter.name}</code><span class="kind">${kindOf(parameter)}</span>`,
      html`${withCode(parameter.meaning)}${choices(parameter)}${sample(parameter.example)}`,
    ]),
  )
}

export function fieldsTable({ name, fields }: DocsSchema): Html {
  return twoColumns(
    `Fields of ${name}`,
    ['Field', 'Meaning'],
    fields.map((field) => [
      html`<code>${field.name}</code><span class="kind">${withCode(field.type)}</span>`,
      withCode(field.meaning),
    ]),
  )
}

export function headersTable(label: string, headers: readonly DocsHeader[]): Html {
  return twoColumns(
    label,
    ['Header', 'Meaning'],
    headers.map(({ name, meaning }) => [html`<code>${name}</code>`, withCode(meaning)]),
  )
}

export function sameValuesTable(label: string, rows: readonly SameValues[]): Html {
  return twoColumns(
    label,
    ['Key', 'The same value'],
    rows.map(({ key, values }) => [
      html`<code>${key}</code>`,
      html`${values.map((value, at) => html`${at > 0 && ' = '}<code>${value}</code>`)}`,
    ]),
  )
}

/** An example below its meaning. */
export function sample(query: string): Html {
  return html`<code class="sample">${query.split('&').map((part, at) => html`${at > 0 && html`&amp;<wbr>`}${part}`)}</code>`
}

function kindOf({ type, default: unasked, max }: DocsParameter): string {
  const most = max !== undefined && `at most ${formatNumber(max)}${unitOfMax(type)}`
  return [type, unasked !== undefined && `default ${unasked}`, most].filter(Boolean).join(', ')
}

/** Of a number its value is limited, of a list its length, of a text its characters. */
function unitOfMax(type: string): string {
  if (type === 'string') return ' characters'
  return type.startsWith('list') ? ' items' : ''
}

/** That `-` descends is said once, not of each. */
function choices({ choices = [] }: DocsParameter): Child {
  const named = choices.filter(
    (choice) => !choices.includes(choice.replace(/^-/, '')) || !choice.startsWith('-'),
  )
  return (
    named.length > 0 &&
    html`<span class="choices">${named.map((choice) => html`<code>${choice}</code> `)}</span>`
  )
}
