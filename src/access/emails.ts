// In charge of what letters to account holders say. Nothing that a stranger typed stands in them, so that nobody can
// have us send words of theirs.
import type { EmailMessage } from '../mail/mail.ts'

export function verificationEmail(to: string, link: string): EmailMessage {
  return {
    to,
    subject: 'Confirm your email address',
    text: paragraphs(
      'Someone, most likely you, has signed up with this email address. Open this link to confirm it:',
      link,
      'The link is good for a day. If it was not you, there is nothing to do.',
    ),
  }
}

export function passwordResetEmail(to: string, link: string): EmailMessage {
  return {
    to,
    subject: 'Choose a new password',
    text: paragraphs(
      'Someone, most likely you, has asked for a new password for your account. Open this link to choose one:',
      link,
      'The link is good once, and for an hour. If it was not you, there is nothing to do: your password stays as it is.',
    ),
  }
}

export function addressTakenEmail(to: string, signIn: string): EmailMessage {
  return {
    to,
    subject: 'You have an account already',
    text: paragraphs(
      'Someone, most likely you, has tried to sign up with this email address, which has an account already. Sign in, or ask for a new password, here:',
      signIn,
      'If it was not you, there is nothing to do: nothing was changed.',
    ),
  }
}

/** `plan` is the name of it. */
export function planGrantedEmail(to: string, plan: string, dashboard: string): EmailMessage {
  return {
    to,
    subject: `You are on the ${plan} plan`,
    text: paragraphs(
      `You have asked for the ${plan} plan, and it was granted. It holds from now on; the keys you have stay as they are. What it brings is here:`,
      dashboard,
    ),
  }
}

export function planDeclinedEmail(to: string, plan: string, dashboard: string): EmailMessage {
  return {
    to,
    subject: `Your request for the ${plan} plan`,
    text: paragraphs(
      `You have asked for the ${plan} plan, and it was declined. Your plan and your keys stay as they are. You can ask again here:`,
      dashboard,
    ),
  }
}

function paragraphs(...texts: string[]): string {
  return `${texts.join('\n\n')}\n`
}
