// Renders the pages for signing in and out: the password, the second factor, and the sign-out form.

import { type Html, html } from '../layout/html.ts'
import type { Site } from '../layout/site.ts'
import { type Attempt, emailField, type Field, form, formPage, nothingYet, titleOf } from './form.ts'

const passwordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
}

/** Password managers expect `username` for the field that goes with the password. */
const userField: Field = { ...emailField, autocomplete: 'username' }

const codeField: Field = {
  name: 'code',
  label: 'Code',
  type: 'text',
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  isCode: true,
  hint: 'The six digits that your authenticator app shows. They change every 30 seconds.',
}

/** Contains letters too, so it gets no numeric keypad. */
const backupField: Field = {
  name: 'code',
  label: 'Backup code',
  type: 'text',
  autocomplete: 'off',
  isCode: true,
  hint: 'One of the codes you saved when you turned on two-factor authentication. Each code works once.',
}

export interface SignInOptions {
  readonly next?: string | undefined
  readonly attempt?: Attempt
  /** Whether the user just confirmed the email address with a link. */
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
    ? html`<a href="${withNext('/sign-in/code', next)}">Use a code from your authenticator app</a>`
    : html`<a href="${withNext('/sign-in/code?backup', next)}">Use a backup code</a>`
  return formPage(
    site,
    titleOf('Two-factor authentication', attempt),
    html`<h1>${isBackup ? 'Use a backup code' : 'Enter the code'}</h1>
<p class="lede">Your account uses two-factor authentication.</p>
${form({
  action: '/sign-in/code',
  hidden: { next, kind },
  fields: [isBackup ? backupField : codeField],
  attempt,
  button: 'Continue',
})}
<p class="form-links">${other} <a href="${withNext('/sign-in', next)}">Start over</a></p>`,
    '/sign-in',
  )
}

/** Only shown after the right password was given, so it may reveal that the account exists. */
export function unconfirmedPage(site: Site, email: string): string {
  return formPage(
    site,
    'Confirm your email address',
    html`<h1>Confirm your email address first</h1>
<p class="lede">We sent another email to ${email}. Open the link in it, then sign in.</p>
${againForm(email)}
<p><a href="/sign-in">Back to sign in</a></p>`,
    '/sign-in',
  )
}

export function againForm(email: string): Html {
  return form({ action: '/sign-up/letter', hidden: { email }, fields: [], button: 'Resend email' })
}

export function signOutPage(site: Site): string {
  const { visitor } = site
  return formPage(
    site,
    'Sign out',
    html`<h1>Sign out?</h1>
${
  visitor !== undefined &&
  html`<p class="lede">You are signed in as ${visitor.email}. Your API keys and webhooks keep working.</p>`
}
${form({ action: '/sign-out', fields: [], button: 'Sign out' })}
<p><a href="/dashboard">Back to the dashboard</a></p>`,
  )
}

export function withNext(path: string, next: string | undefined): string {
  if (next === undefined) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ next })}`
}
