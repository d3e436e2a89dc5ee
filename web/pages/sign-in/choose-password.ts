// Renders the pages for choosing a password from a link: the first operator's setup, a password reset, and an
// invitation; and the form that requests a reset link.

import { html } from '../layout/html.ts'
import type { Site } from '../layout/site.ts'
import {
  type Attempt,
  emailField,
  form,
  formPage,
  nameField,
  newPasswordField,
  nothingYet,
  titleOf,
} from './form.ts'

export function setupPage(site: Site, token: string, attempt: Attempt = nothingYet): string {
  const fields = [emailField, nameField, newPasswordField]
  return formPage(
    site,
    titleOf('Set up', attempt),
    html`<h1>Create the first operator</h1>
<p class="lede">Operators run this service: they grant plans and manage accounts. This link works until the first operator exists or the service restarts.</p>
${form({ hidden: { token }, fields, attempt, button: 'Create account' })}`,
  )
}

export function resetPage(site: Site, token: string, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf('Choose a password', attempt),
    html`<h1>Choose a password</h1>
<p class="lede">It replaces the current password, if there is one, and ends all sessions of the account.</p>
${form({ hidden: { token }, fields: [newPasswordField], attempt, button: 'Save password' })}`,
  )
}

export function passwordSavedPage(site: Site): string {
  return formPage(
    site,
    'Password saved',
    html`<h1>Password saved</h1>
<p class="lede">Sign in with your new password.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a></p>`,
  )
}

export function deadLinkPage(site: Site): string {
  return formPage(
    site,
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p class="lede">It was already used, has expired, or is incomplete.</p>
<p class="actions"><a class="button" href="/forgot-password">Request a new link</a></p>
<p class="note">Setting up the service? Restart it: as long as there is no operator, it prints a new link.</p>`,
  )
}

/** `sendsEmail` is whether a mail server is configured. */
export function forgotPage(site: Site, sendsEmail: boolean, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf('Forgot your password', attempt),
    html`<h1>Forgot your password?</h1>
<p class="lede">${
      sendsEmail
        ? 'Enter the email address of your account. We will send you a link to choose a new password.'
        : 'This service has no mail server, so it cannot email you a link to choose a new password. Request the link here, then get it from the operator of the service.'
    }</p>
${form({
  action: '/forgot-password',
  fields: [emailField],
  attempt,
  button: sendsEmail ? 'Send link' : 'Request link',
})}
<p><a href="/sign-in">Back to sign in</a></p>`,
  )
}

/** The same page for every address, so that it does not reveal which ones have an account. */
export function askedPage(site: Site, sendsEmail: boolean): string {
  return formPage(
    site,
    sendsEmail ? 'Check your email' : 'Ask the operator',
    sendsEmail
      ? html`<h1>Check your email</h1>
<p class="lede">If there is an account with this address, we sent it an email with a link. The link works once and expires in an hour.</p>
<p>No email? Check your spam folder, or <a href="/forgot-password">try another address</a>.</p>`
      : html`<h1>Ask the operator of this service for the link</h1>
<p class="lede">If there is an account with this address, its link is in the outbox of the service. The link works once and expires in an hour.</p>
<p>The operator finds it in the <code>outbox</code> folder of the data directory, or creates another with <code>watchdata account invite</code>.</p>`,
  )
}
