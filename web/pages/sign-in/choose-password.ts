// In charge of the forms by which a password is chosen from a link: the first operator's, and that of whoever lost theirs
// or was invited; and of the one that asks for such a link.

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
    html`<h1>Make the first operator</h1>
<p class="lede">An operator runs this service: grants plans, looks after accounts. This link is good until there is one, or the service starts again.</p>
${form({ hidden: { token }, fields, attempt, button: 'Make the account' })}`,
  )
}

export function resetPage(site: Site, token: string, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf('Choose a password', attempt),
    html`<h1>Choose a password</h1>
<p class="lede">It replaces any that the account had, and signs it out everywhere.</p>
${form({ hidden: { token }, fields: [newPasswordField], attempt, button: 'Save it' })}`,
  )
}

export function passwordSavedPage(site: Site): string {
  return formPage(
    site,
    'Saved',
    html`<h1>The password is saved</h1>
<p class="lede">It is the one to sign in with from now on.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a></p>`,
  )
}

export function deadLinkPage(site: Site): string {
  return formPage(
    site,
    'This link is not good',
    html`<h1>This link is not good</h1>
<p class="lede">It was used, is too old, or was not copied whole.</p>
<p class="actions"><a class="button" href="/forgot-password">Ask for a new link</a></p>
<p class="note">Setting the service up? Start it again: it prints a new link while there is no operator.</p>`,
  )
}

/** `sendsLetters` tells whether there is a mail server. */
export function forgotPage(site: Site, sendsEmail: boolean, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf('Forgot your password', attempt),
    html`<h1>Forgot your password?</h1>
<p class="lede">${
      sendsEmail
        ? 'Tell us the address of your account, and we send you a link to choose a new one.'
        : 'This service has no mail server, so the link to choose a new one cannot be sent to you. Ask for it here, then get it from whoever runs the service.'
    }</p>
${form({
  action: '/forgot-password',
  fields: [emailField],
  attempt,
  button: sendsEmail ? 'Send the link' : 'Ask for a link',
})}
<p><a href="/sign-in">Back to signing in</a></p>`,
  )
}

/** The same for every address, known or not. */
export function askedPage(site: Site, sendsEmail: boolean): string {
  return formPage(
    site,
    sendsEmail ? 'Look into your mail' : 'Ask the operator',
    sendsEmail
      ? html`<h1>Look into your mail</h1>
<p class="lede">If there is an account with this address, a letter with a link is on its way to it. The link is good once, and for an hour.</p>
<p>Nothing there? Look where your mail program keeps what it takes for spam, or <a href="/forgot-password">try another address</a>.</p>`
      : html`<h1>Now ask whoever runs this service</h1>
<p class="lede">If there is an account with this address, a link for it lies in the outbox of the service. It is good once, and for an hour.</p>
<p>The operator finds it in the folder <code>outbox</code> of the data directory, or makes another with <code>watchdata account invite</code>.</p>`,
  )
}
