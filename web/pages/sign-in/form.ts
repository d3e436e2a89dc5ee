// Renders forms that work without a script: fields, each with its own error messages, the pages around them, and the
// page that says why a form was rejected.

import { type Child, type Html, html } from '../layout/html.ts'
import { page } from '../layout/layout.ts'
import type { Site } from '../layout/site.ts'

/** A submission that was rejected: the values of the fields, and the errors of each. */
export interface Attempt {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** An error of the form as a whole. */
  readonly message?: Child
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'text' | 'password'
  readonly autocomplete: string
  readonly hint?: string
  readonly inputmode?: 'numeric'
  /** Whether the value is a code: no spelling check, no automatic capitals, and never sent back. */
  readonly isCode?: boolean
}

export interface Form {
  /** The URL the form is submitted to; the URL of the page by default. */
  readonly action?: string
  readonly hidden?: Readonly<Record<string, string | undefined>>
  readonly fields: readonly Field[]
  readonly attempt?: Attempt
  readonly button: string
  /** Whether the form is for signed-out users: the script then deletes an API key stored in this tab. */
  readonly isForAnyone?: boolean
}

export const emailField: Field = { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' }
export const nameField: Field = { name: 'name', label: 'Name', type: 'text', autocomplete: 'name' }
export const newPasswordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters.',
}

export const nothingYet: Attempt = { values: {}, errors: {} }

/** `path` marks the current navigation entry. */
export function formPage(site: Site, title: string, body: Html, path = ''): string {
  return page(site, { title, description: title, path }, html`<section class="stack">${body}</section>`)
}

/** Begins with "Error:" after a rejected submission: screen readers announce the title first. */
export function titleOf(title: string, { errors, message }: Attempt): string {
  return Object.keys(errors).length > 0 || message !== undefined ? `Error: ${title}` : title
}

export function form(options: Form): Html {
  const { action, hidden = {}, fields, attempt = nothingYet, button, isForAnyone = false } = options
  const { errors, message } = attempt
  const wrong = fields.find(({ name }) => errors[name] !== undefined)
  // The password field is the last one, and must be typed again because it is never sent back.
  const focused = wrong ?? (message !== undefined ? fields.at(-1) : fields[0])
  return html`<form class="form" method="post"${action !== undefined && html` action="${action}"`}${isForAnyone && html` data-forget-key`}>
${message !== undefined && html`<p class="form-error" id="form-about">${message}</p>`}
${Object.entries(hidden).map(
  ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
)}
${fields.map((one) => field(one, attempt, one === focused))}
<button class="button" type="submit">${button}</button>
</form>`
}

function field(
  { name, label, type, autocomplete, hint, inputmode, isCode = false }: Field,
  { values, errors, message }: Attempt,
  isFocused: boolean,
): Html {
  const wrong = errors[name]?.join(' ')
  // A password's error repeats its hint, so the hint is left out.
  const said = wrong !== undefined && type === 'password' ? undefined : hint
  const abouts = [
    isFocused && message !== undefined && 'form-about',
    wrong !== undefined && `${name}-error`,
    said !== undefined && `${name}-hint`,
  ].filter((id) => id !== false)
  // Secrets are never sent back.
  const value = type === 'password' || isCode ? '' : (values[name] ?? '')
  return html`<div class="field">
<label for="${name}">${label}</label>
${wrong !== undefined && html`<p class="error" id="${name}-error">${wrong}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required${
    inputmode !== undefined && html` inputmode="${inputmode}"`
  }${isCode && html` autocapitalize="none" spellcheck="false"`}${
    wrong !== undefined && html` aria-invalid="true"`
  }${abouts.length > 0 && html` aria-describedby="${abouts.join(' ')}"`}${isFocused && html` autofocus`}>
${said !== undefined && html`<p class="hint" id="${name}-hint">${said}</p>`}
</div>`
}

/** Any other error, with the API's message. */
export function refusedPage(site: Site, message: string): string {
  return formPage(
    site,
    'Error: That did not work',
    html`<h1>That did not work</h1><p class="lede">${message}</p>`,
  )
}

/** `back` is the URL of the form's page; undefined when that URL contains a secret. */
export function tooManyPage(site: Site, seconds: number, back: string | undefined): string {
  return formPage(
    site,
    'Error: Too many attempts',
    html`<h1>Too many attempts</h1>
<p class="lede">This attempt was not processed. Try again in ${spanOf(seconds)}.</p>
${back !== undefined && html`<p class="actions"><a class="button" href="${back}">Back to the form</a></p>`}`,
  )
}

const minuteSeconds = 60

function spanOf(seconds: number): string {
  if (!(seconds > 0)) return 'a minute'
  if (seconds === 1) return 'a second'
  return seconds <= 2 * minuteSeconds ? `${seconds} seconds` : `${Math.ceil(seconds / minuteSeconds)} minutes`
}
