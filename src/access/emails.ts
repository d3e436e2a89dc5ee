// Builds the emails sent to account holders. They contain no text that a requester typed, so that nobody can use the
// service to send words of their own.
import type { EmailMessage } from '../mail/mail.ts'

export function verificationEmail(to: string, link: string): EmailMessage {
  return email(to, 'Confirm your email address', [
    'Someone, most likely you, has signed up with this email address. Open this link to confirm it:',
    link,
    'The link expires after a day. If it was not you, you can ignore this email.',
  ])
}

export function passwordResetEmail(to: string, link: string): EmailMessage {
  return email(to, 'Choose a new password', [
    'Someone, most likely you, has requested a new password for your account. Open this link to choose one:',
    link,
    'The link works once and expires after an hour. If it was not you, you can ignore this email: your password stays as it is.',
  ])
}

export function addressTakenEmail(to: string, signIn: string): EmailMessage {
  return email(to, 'You have an account already', [
    'Someone, most likely you, has tried to sign up with this email address, which has an account already. Sign in, or request a new password, here:',
    signIn,
    'If it was not you, you can ignore this email: nothing was changed.',
  ])
}

/** `plan` is the display name of the plan. */
export function planGrantedEmail(to: string, plan: string, dashboard: string): EmailMessage {
  return email(to, `You are on the ${plan} plan`, [
    `Your request for the ${plan} plan was granted. It takes effect at once; your keys stay as they are. See what the plan includes here:`,
    dashboard,
  ])
}

export function planDeclinedEmail(to: string, plan: string, dashboard: string): EmailMessage {
  return email(to, `Your request for the ${plan} plan`, [
    `Your request for the ${plan} plan was declined. Your plan and your keys stay as they are. You can request a plan again here:`,
    dashboard,
  ])
}

function email(to: string, subject: string, paragraphs: readonly string[]): EmailMessage {
  return { to, subject, text: `${paragraphs.join('\n\n')}\n` }
}
