// In charge of the two forms by which a password is chosen from a link: the first operator's, and that of whoever lost
// theirs or was invited. They work without a script.

import { type Html, html } from './html.ts'
import { page } from './layout.ts'

/** What was sent and is not good yet: the fields as they were, and what is wrong with each. */
export interface Attempt {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, readonly string[]>>
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'text' | 'password'
  readonly autocomplete: string
  readonly hint?: string
}

const passwordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters.',
}

const operatorFields: readonly Field[] = [
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' },
  { name: 'name', label: 'Name', type: 'text', autocomplete: 'name' },
  passwordField,
]

const nothingYet: Attempt = { values: {}, errors: {} }

export function setupPage(token: string, attempt: Attempt = nothingYet): string {
  return formPage(
    'Set up',
    html`<h1>Make the first operator</h1>
<p class="lede">An operator runs this service: grants plans, looks after accounts. This link is good until there is one.</p>
${form('/setup', token, operatorFields, attempt, 'Make the account')}`,
  )
}

export function resetPage(token: string, attempt: Attempt = nothingYet): string {
  return formPage(
    'Choose a password',
    html`<h1>Choose a password</h1>
<p class="lede">It takes the place of any you had, and ends every session.</p>
${form('/reset-password', token, [passwordField], attempt, 'Save it')}`,
  )
}

export function passwordSavedPage(): string {
  return formPage(
    'Saved',
    html`<h1>The password is saved</h1>
<p class="lede">Use it the next time you sign in.</p>
<p class="actions"><a class="button" href="/dashboard">Go to the dashboard</a></p>`,
  )
}

export function deadLinkPage(): string {
  return formPage(
    'The link is not good any more',
    html`<h1>This link is not good any more</h1>
<p class="lede">It was used, is too old, or was not copied whole.</p>
<p>For the set-up, start the service again: it prints a new one while there is no operator. For a password, ask for another link.</p>`,
  )
}

function formPage(title: string, body: Html): string {
  return page({ title, description: title, path: '' }, html`<section class="stack">${body}</section>`)
}

function form(
  action: string,
  token: string,
  fields: readonly Field[],
  attempt: Attempt,
  button: string,
): Html {
  return html`<form class="form" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
${fields.map((one) => field(one, attempt))}
<button class="button" type="submit">${button}</button>
</form>`
}

function field({ name, label, type, autocomplete, hint }: Field, { values, errors }: Attempt): Html {
  const wrong = errors[name] ?? []
  const about = [hint !== undefined && `${name}-hint`, wrong.length > 0 && `${name}-error`].filter(Boolean)
  // What is secret is not sent back.
  const value = type === 'password' ? '' : (values[name] ?? '')
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required${
    wrong.length > 0 && html` aria-invalid="true"`
  }${about.length > 0 && html` aria-describedby="${about.join(' ')}"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${wrong.length > 0 && html`<p class="error" id="${name}-error" role="alert">${wrong.join(' ')}</p>`}
</div>`
}
