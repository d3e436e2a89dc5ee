// Builds the "Try it" form of an endpoint in the reference: its parameters, the request, the response, and the same
// call as a curl command. Loaded when the first form is opened.
import { copyOnClick } from './copy-buttons.ts'
import { curlOf } from './curl.ts'
import { deleteKey, findKey, offerKey, onKeyChange } from './docs-key.ts'
import { element } from './element.ts'
import { type Outcome, tryCall } from './try-call.ts'

/** The endpoint as the page describes it: `TryCall` in web/pages/docs/try-it.ts. */
interface TryCall {
  readonly path: string
  readonly request: string
  readonly parameters: readonly { readonly name: string; readonly example: string }[]
  readonly hasFilters: boolean
}

interface Field {
  readonly name: string
  readonly input: HTMLInputElement
}

interface Form {
  readonly call: TryCall
  readonly fields: readonly Field[]
  readonly filters: HTMLInputElement | undefined
  readonly key: HTMLInputElement
}

export function openTry(part: HTMLDetailsElement): void {
  const call: TryCall = JSON.parse(part.dataset.try ?? '')
  const values = new URLSearchParams(call.request.split('?')[1])
  const inPath = pathValues(call)
  const fields = call.parameters.map(({ name, example }) => {
    const plain = name.replaceAll(/[{}]/g, '')
    const value = inPath.get(plain) ?? values.get(name) ?? ''
    values.delete(name)
    return { name, input: input(value, hintOf(name, example)) }
  })
  const filters = call.hasFilters ? input(readable(values), 'spec[dial_color]=Black') : undefined
  const key = input(findKey() ?? '', 'wd_live_…')
  onKeyChange(() => {
    key.value = findKey() ?? ''
  })
  part.append(formOf({ call, fields, filters, key }))
}

function formOf(form: Form): HTMLFormElement {
  const { fields, filters, key } = form
  const outcome = element('div', { className: 'try-outcome' })
  const offer = element('p', { className: 'try-offer' })
  offerKey(offer)
  const status = element('p', { className: 'try-status', role: 'status' })
  const button = element('button', { className: 'button', type: 'submit' }, 'Send')
  const made = element(
    'form',
    { className: 'try-form' },
    element(
      'div',
      { className: 'try-fields' },
      ...fields.map(({ name, input }) => labelled(name, input)),
      ...(filters === undefined ? [] : [labelled('Filters and ranges, separated by &', filters)]),
      labelled('API key', key),
    ),
    offer,
    element('p', {}, button),
    status,
    outcome,
  )
  made.addEventListener('submit', async (event) => {
    event.preventDefault()
    const path = addressOf(form)
    status.textContent = 'Sending…'
    button.disabled = true
    const asked = key.value.trim()
    const result = await tryCall(path, asked)
    button.disabled = false
    if (result.status === 401 && asked !== '' && asked === findKey()) deleteKey()
    status.textContent = result.said
    outcome.replaceChildren(...shown(result, path, asked))
  })
  return made
}

/** The path and query as sent, relative to /api/v1. */
function addressOf({ call, fields, filters }: Form): string {
  let { path } = call
  const query: string[] = []
  for (const { name, input } of fields) {
    const value = input.value.trim()
    if (name.startsWith('{')) path = path.replace(name, encodeURIComponent(value))
    else if (value !== '') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  for (const [name, value] of new URLSearchParams(filters?.value.trim() ?? '')) {
    query.push(`${name.replaceAll(/[^\w[\]]/g, encodeURIComponent)}=${encodeURIComponent(value)}`)
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function* shown(result: Outcome, path: string, key: string): Generator<Node> {
  if (result.headers.length > 0) yield block('Headers', result.headers.join('\n'))
  if (result.body !== '') yield block(result.isCut ? 'Response (truncated)' : 'Response', result.body)
  yield block('curl', curlOf(`${location.origin}/api/v1${path}`, key || undefined))
}

/** The same markup as `copyBlock` in web/pages/layout/block.ts. */
function block(label: string, text: string): HTMLElement {
  const code = element('code', {}, text)
  const what = element('span', { className: 'unseen' }, ` ${label}`)
  const copy = element('button', { className: 'copy', type: 'button', ariaLive: 'polite' }, 'Copy', what)
  copyOnClick(copy, code)
  const pre = element('pre', { tabIndex: 0, role: 'group', ariaLabel: label }, code)
  return element('figure', { className: 'code' }, element('figcaption', {}, label, copy), pre)
}

function labelled(name: string, field: HTMLInputElement): HTMLElement {
  return element('label', { className: 'field' }, element('span', {}, name), field)
}

function input(value: string, placeholder: string): HTMLInputElement {
  return element('input', { type: 'text', value, placeholder, autocomplete: 'off', spellcheck: false })
}

/** `page=2` → `2`. Of several parameters takes the one called `name`, or else the first (the start of a range). */
function hintOf(name: string, example: string): string {
  const values = new URLSearchParams(example)
  return values.get(name) ?? [...values.values()][0] ?? ''
}

/** The example's value of each `{name}` in the path. */
function pathValues({ path, request }: TryCall): Map<string, string> {
  const asked = (request.split('?')[0] ?? '').split('/')
  const entries = path.split('/').flatMap((part, at) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    return name === undefined ? [] : [[name, decodeURIComponent(asked[at] ?? '')] as const]
  })
  return new Map(entries)
}

function readable(query: URLSearchParams): string {
  return [...query].map(([name, value]) => `${name}=${value}`).join('&')
}
