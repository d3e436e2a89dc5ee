// Renders the sign-up pages, and the pages about the email that confirms an address.

import { formatWait } from '../layout/format.ts'
import { type Html, html } from '../layout/html.ts'
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
import { againForm, withNext } from './sign-in.ts'

export interface SignUpOptions {
  readonly next?: string | undefined
  readonly attempt?: Attempt
}

export function signUpPage(site: Site, { next, attempt = nothingYet }: SignUpOptions): string {
  return formPage(
    site,
    titleOf('Sign up', attempt),
    html`<h1>Sign up</h1>
<p class="lede">You get your first API key right away. The Free plan costs nothing.</p>
${form({
  action: '/sign-up',
  hidden: { next },
  fields: [nameField, emailField, newPasswordField],
  attempt,
  button: 'Create account',
  isForAnyone: true,
})}
<p class="form-links"><span>Have an account? <a href="${withNext('/sign-in', next)}">Sign in</a></span></p>`,
    '/sign-up',
  )
}

/** The error of the form where the client's network has created as many accounts as it may per day. */
export function tooManyAccounts(seconds: number): Html {
  return html`Too many accounts were created from your network today. You can sign up again at 00:00 UTC, in ${formatWait(seconds)}. Have an account already? <a href="/sign-in">Sign in</a>.`
}

export function closedPage(site: Site): string {
  return formPage(
    site,
    'Sign-up is closed',
    html`<h1>Sign-up is closed</h1>
<p class="lede">The operator of this service creates accounts. Ask for an invitation: a link that lets you choose your password.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a>${
      site.hasExplorer && html` <a href="/explore">Explore the catalogue</a>`
    }</p>`,
  )
}

/** The same page for every address, so that it does not reveal which ones have an account. */
export function emailSentPage(site: Site, email: string, isAgain = false): string {
  return formPage(
    site,
    'Check your email',
    html`<h1>Check your email</h1>
<p class="lede" role="status">${isAgain ? 'If this address needs confirming, we sent another email' : 'We sent an email'} to ${email}. Open the link in it to finish signing up. The link expires in a day.</p>
<p>No email? Check your spam folder.${
      site.isOpen && html` Wrong address? <a href="/sign-up">Sign up again</a>.`
    }</p>
${againForm(email)}`,
    '/sign-up',
  )
}

/** For users whose confirmation link is lost or has expired. */
export function emailPage(site: Site, isExpired: boolean, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf(isExpired ? 'This link is not valid' : 'Confirm your email address', attempt),
    html`<h1>${isExpired ? 'This link is not valid' : 'Confirm your email address'}</h1>
<p class="lede">${
      isExpired
        ? 'It is older than a day or incomplete. Enter your email address and we will send you a new link.'
        : 'Enter the email address you signed up with and we will send you the link again.'
    }</p>
${form({ action: '/sign-up/letter', fields: [emailField], attempt, button: 'Send email' })}
<p class="form-links"><span>Already confirmed? <a href="/sign-in">Sign in</a></span></p>`,
  )
}
