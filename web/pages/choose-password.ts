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
    titleOf('Set up', attempt),
    html`<h1>Make the first operator</h1>
<p class="lede">An operator runs this service: grants plans, looks after accounts. This link is good until there is one, or the service starts again.</p>
${form(token, operatorFields, attempt, 'Make the account')}`,
  )
}

export function resetPage(token: string, attempt: Attempt = nothingYet): string {
  return formPage(
    titleOf('Choose a password', attempt),
    html`<h1>Choose a password</h1>
<p class="lede">It replaces any that the account had, and signs it out everywhere.</p>
${form(token, [passwordField], attempt, 'Save it')}`,
  )
}

export function operatorMadePage(email: string): string {
  return formPage(
    'You are the operator',
    html`<h1>You are the operator now</h1>
<p class="lede">You are signed in as ${email}.</p>
<p>The pages on which operators work come with a later version. Until then <code>watchdata account</code> and <code>watchdata key</code> do it on the server.</p>
<p class="actions"><a class="button" href="/dashboard">See the state of this instance</a></p>`,
  )
}

export function passwordSavedPage(): string {
  return formPage(
    'Saved',
    html`<h1>The password is saved</h1>
<p class="lede">It is the one to sign in with from now on.</p>
<p class="note">A page to sign in on comes with a later version.</p>`,
  )
}

export function deadLinkPage(): string {
  return formPage(
    'This link is not good',
    html`<h1>This link is not good</h1>
<p class="lede">It was used, is too old, or was not copied whole.</p>
<p>For the set-up, start the service again: it prints a new one while there is no operator. For a password, ask whoever runs this service for another link.</p>`,
  )
}

/** What went wrong otherwise, in the words that a program is told it in. */
export function refusedPage(message: string): string {
  return formPage('That did not work', html`<h1>That did not work</h1><p class="lede">${message}</p>`)
}

/** Read out first, before the page is looked through for what is wrong. */
function titleOf(title: string, { errors }: Attempt): string {
  return Object.keys(errors).length > 0 ? `Error: ${title}` : title
}

function formPage(title: string, body: Html): string {
  return page({ title, description: title, path: '' }, html`<section class="stack">${body}</section>`)
}

/** Sent to where the page came from. */
function form(token: string, fields: readonly Field[], attempt: Attempt, button: string): Html {
  const focused = fields.find(({ name }) => attempt.errors[name] !== undefined) ?? fields[0]
  return html`<form class="form" method="post">
<input type="hidden" name="token" value="${token}">
${fields.map((one) => field(one, attempt, one === focused))}
<button class="button" type="submit">${button}</button>
</form>`
}

function field(
  { name, label, type, autocomplete, hint }: Field,
  { values, errors }: Attempt,
  isFocused: boolean,
): Html {
  const wrong = errors[name]?.join(' ')
  const about = wrong ?? hint
  // What is secret is not sent back.
  const value = type === 'password' ? '' : (values[name] ?? '')
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required${
    wrong !== undefined && html` aria-invalid="true"`
  }${about !== undefined && html` aria-describedby="${name}-about"`}${isFocused && html` autofocus`}>
${about !== undefined && html`<p class="${wrong === undefined ? 'hint' : 'error'}" id="${name}-about">${about}</p>`}
</div>`
}
