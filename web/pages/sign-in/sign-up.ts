// In charge of the forms by which people sign up, and of the letter that confirms an address.

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
<p class="lede">You get your first API key right after. The Free plan costs nothing.</p>
${form({
  action: '/sign-up',
  hidden: { next },
  fields: [nameField, emailField, newPasswordField],
  attempt,
  button: 'Make the account',
  isForAnyone: true,
})}
<p class="form-links"><span>Have an account? <a href="${withNext('/sign-in', next)}">Sign in</a></span></p>`,
    '/sign-up',
  )
}

export function closedPage(site: Site): string {
  return formPage(
    site,
    'Sign-up is closed',
    html`<h1>Sign-up is closed</h1>
<p class="lede">Accounts are made by whoever runs this service. Ask them for an invitation: it is a link by which you choose your password.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a> <a href="/explore">Explore the catalogue</a></p>`,
  )
}

/** The same for every address, known or not. */
export function emailSentPage(site: Site, email: string, isAgain = false): string {
  return formPage(
    site,
    'Open the link in the letter',
    html`<h1>Open the link in the letter</h1>
<p class="lede" role="status">${isAgain ? 'If it needs one, another letter' : 'A letter'} is on its way to ${email}. Open the link in it, and your account is ready. The link is good for a day.</p>
<p>Nothing there? Look where your mail program keeps what it takes for spam.${
      site.isOpen && html` Is the address wrong? <a href="/sign-up">Sign up again</a>.`
    }</p>
${againForm(email)}`,
    '/sign-up',
  )
}

/** For whoever has no good link any more. */
export function emailPage(site: Site, isExpired: boolean, attempt: Attempt = nothingYet): string {
  return formPage(
    site,
    titleOf(isExpired ? 'This link is not good' : 'Confirm your email address', attempt),
    html`<h1>${isExpired ? 'This link is not good' : 'Confirm your email address'}</h1>
<p class="lede">${
      isExpired
        ? 'It is older than a day, or was not copied whole. Tell us your address, and we send you another.'
        : 'Tell us the address that you signed up with, and we send you the letter again.'
    }</p>
${form({ action: '/sign-up/letter', fields: [emailField], attempt, button: 'Send the letter' })}
<p class="form-links"><span>Confirmed already? <a href="/sign-in">Sign in</a></span></p>`,
  )
}
