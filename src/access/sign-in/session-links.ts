// Creates the links that reset a password or confirm an email, and sends the emails that carry them.
import { Problem } from '../../errors.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Reader } from '../../storage/database.ts'
import { findAccount } from '../accounts/accounts.ts'
import { addressTakenEmail, passwordResetEmail, verificationEmail } from '../emails.ts'
import type { Engine } from './session-engine.ts'
import { authPath } from './session-forms.ts'
import { findState } from './session-store.ts'

export interface LinksParts {
  readonly reader: Reader
  readonly mail: Mail
  /** Limits these emails, because anyone may request them for any address. */
  readonly admits: (email: string) => Promise<boolean>
  readonly baseUrl: string
  readonly engine: () => Promise<Engine>
}

const hourMs = 3_600_000
const resetLifeMs = hourMs
const inviteLifeMs = 24 * hourMs
const verifyLifeMs = 24 * hourMs
/** Never shown: only distinguishes success from the redirect of an invalid link. */
const confirmedPath = '/confirmed'

export class Links {
  readonly #parts: LinksParts

  constructor(parts: LinksParts) {
    this.#parts = parts
  }

  /** The link whose holder can choose the account's password, once and within a day. */
  async invite(accountId: string): Promise<string> {
    if ((await findState(this.#parts.reader, accountId)) === undefined) throw new Problem('not_found')
    return this.#reset(accountId, inviteLifeMs)
  }

  /** Sends nothing if there is no such account, or its mailbox has reached its limit. */
  async sendReset(email: string): Promise<void> {
    const { reader, mail, admits } = this.#parts
    const account = await findAccount(reader, email)
    if (account === undefined || !(await admits(account.email))) return
    await mail.send(passwordResetEmail(account.email, await this.#reset(account.id, resetLifeMs)))
  }

  /** Sends nothing if there is no such account, its email is confirmed, or its mailbox has reached its limit. */
  async sendVerification(email: string): Promise<void> {
    const { reader, mail, admits, engine, baseUrl } = this.#parts
    const account = await findAccount(reader, email)
    if (account === undefined || (await findState(reader, account.id))?.email_verified === 1) return
    if (!(await admits(account.email))) return
    const token = await (await engine()).makeVerificationToken(account.email, verifyLifeMs)
    const query = new URLSearchParams({ token })
    await mail.send(verificationEmail(account.email, `${baseUrl}${authPath}/verify-email?${query}`))
  }

  /** The request to better-auth that a confirmation link makes. The service chooses where it redirects to. */
  verification({ url, headers }: Request): Request {
    const { origin, pathname, searchParams } = new URL(url)
    const query = new URLSearchParams({ token: searchParams.get('token') ?? '', callbackURL: confirmedPath })
    return new Request(`${origin}${pathname}?${query}`, { headers })
  }

  /** Redirects to a page that shows the result, because a user has followed the link in a mail program. */
  afterVerification(answer: Response): Response {
    const { origin, pathname } = new URL(this.#parts.baseUrl)
    const { searchParams } = new URL(answer.headers.get('location') ?? '/?error', origin)
    const next = new URLSearchParams({ confirmed: '', next: '/dashboard?welcome' })
    const page = searchParams.has('error') ? '/sign-up/letter?expired' : `/sign-in?${next}`
    return new Response(null, { status: 302, headers: { location: pathname.replace(/\/$/, '') + page } })
  }

  /** Sends nothing if the mailbox has reached its limit. */
  async sendTaken(email: string): Promise<void> {
    const { mail, admits, baseUrl } = this.#parts
    if (await admits(email)) await mail.send(addressTakenEmail(email, `${baseUrl}/sign-in`))
  }

  async #reset(accountId: string, lifeMs: number): Promise<string> {
    const token = await (await this.#parts.engine()).makeResetToken(accountId, lifeMs)
    return `${this.#parts.baseUrl}/reset-password?${new URLSearchParams({ token })}`
  }
}
