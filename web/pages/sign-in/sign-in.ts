// In charge of the forms by which people sign in and out: the password, the code after it, and the way out.

import { type Html, html } from '../layout/html.ts'
import type { Site } from '../layout/site.ts'
import { type Attempt, emailField, type Field, form, formPage, nothingYet, titleOf } from './form.ts'

const passwordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
}

/** As password managers expect it of the name that goes with a password. */
const userField: Field = { ...emailField, autocomplete: 'username' }

const codeField: Field = {
  name: 'code',
  label: 'Code',
  type: 'text',
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  isCode: true,
  hint: 'Six digits. Your authenticator shows another every half minute.',
}

/** Letters too, so no keypad. */
const backupField: Field = {
  name: 'code',
  label: 'Backup code',
  type: 'text',
  autocomplete: 'off',
  isCode: true,
  hint: 'One of those you kept when you turned the second factor on. Each is good once.',
}

export interface SignInOptions {
  readonly next?: string | undefined
  readonly attempt?: Attempt
  /** Whether the address was confirmed just now, by a link. */
  readonly isConfirmed?: boolean
}

export function signInPage(site: Site, { next, attempt = nothingYet, isConfirmed }: SignInOptions): string {
  return formPage(
    site,
    titleOf('Sign in', attempt),
    html`<h1>Sign in</h1>
${isConfirmed && html`<p class="form-done" role="status">Your email address is confirmed.</p>`}
${form({
  action: '/sign-in',
  hidden: { next },
  fields: [userField, passwordField],
  attempt,
  button: 'Sign in',
  isForAnyone: true,
})}
<p class="form-links"><a href="/forgot-password">Forgot your password?</a>${
      site.isOpen && html` <span>No account yet? <a href="${withNext('/sign-up', next)}">Sign up</a></span>`
    }</p>`,
    '/sign-in',
  )
}

export interface CodeOptions {
  readonly next: string | undefined
  readonly isBackup: boolean
  readonly attempt?: Attempt
}

export function codePage(site: Site, { next, isBackup, attempt = nothingYet }: CodeOptions): string {
  const kind = isBackup ? 'backup' : undefined
  const other = isBackup
    ? html`<a href="${withNext('/sign-in/code', next)}">Use a code of your authenticator</a>`
    : html`<a href="${withNext('/sign-in/code?backup', next)}">Use a backup code</a>`
  return formPage(
    site,
    titleOf('Second factor', attempt),
    html`<h1>${isBackup ? 'Use a backup code' : 'Enter the code'}</h1>
<p class="lede">The password was right. This account asks for a second factor too.</p>
${form({
  action: '/sign-in/code',
  hidden: { next, kind },
  fields: [isBackup ? backupField : codeField],
  attempt,
  button: 'Go on',
})}
<p class="form-links">${other} <a href="${withNext('/sign-in', next)}">Begin again</a></p>`,
    '/sign-in',
  )
}

/** Of a person who has the password, so it may be told that there is an account. */
export function unconfirmedPage(site: Site, email: string): string {
  return formPage(
    site,
    'Confirm your email address',
    html`<h1>Confirm your email address first</h1>
<p class="lede">We have just sent another letter to ${email}. Open the link in it, then sign in.</p>
${againForm(email)}
<p><a href="/sign-in">Back to signing in</a></p>`,
    '/sign-in',
  )
}

export function againForm(email: string): Html {
  return form({ action: '/sign-up/letter', hidden: { email }, fields: [], button: 'Send the letter again' })
}

export function signOutPage(site: Site): string {
  const { visitor } = site
  return formPage(
    site,
    'Sign out',
    html`<h1>Sign out?</h1>
${
  visitor !== undefined &&
  html`<p class="lede">You are signed in as ${visitor.email}. Keys and webhooks go on working without you.</p>`
}
${form({ action: '/sign-out', fields: [], button: 'Sign out' })}
<p><a href="/dashboard">Back to the dashboard</a></p>`,
  )
}

export function withNext(path: string, next: string | undefined): string {
  if (next === undefined) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ next })}`
}
