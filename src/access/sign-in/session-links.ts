// In charge of the links that let their holder in, and of the letters that carry them.
import { Problem } from '../../errors.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Reader } from '../../storage/database.ts'
import { findAccount } from '../accounts/accounts.ts'
import { addressTakenEmail, passwordResetEmail, verificationEmail } from '../emails.ts'
import type { EmailLimits } from './email-limits.ts'
import type { Engine } from './session-engine.ts'
import { authPath } from './session-forms.ts'
import { hasAccount, isVerified } from './session-store.ts'

export interface LinksParts {
  readonly reader: Reader
  readonly mail: Mail
  /** Anyone may ask for these letters, to any address. */
  readonly limits: EmailLimits
  readonly baseUrl: string
  readonly engine: () => Promise<Engine>
}

const hourMs = 3_600_000
const resetLifeMs = hourMs
const inviteLifeMs = 24 * hourMs
const verifyLifeMs = 24 * hourMs
/** Never shown: only told apart from where a link that is not good leads. */
const confirmedPath = '/confirmed'

export class Links {
  readonly #parts: LinksParts

  constructor(parts: LinksParts) {
    this.#parts = parts
  }

  /** Where the account's password is chosen, by whoever has the link, once and within a day. */
  async invite(accountId: string): Promise<string> {
    if (!(await hasAccount(this.#parts.reader, accountId))) throw new Problem('not_found')
    return this.#reset(accountId, inviteLifeMs)
  }

  /** Nothing where there is no such account, or it was sent enough. */
  async sendReset(email: string): Promise<void> {
    const { reader, mail, limits } = this.#parts
    const account = await findAccount(reader, email)
    if (account === undefined || !limits.admit(account.email)) return
    await mail.send(passwordResetEmail(account.email, await this.#reset(account.id, resetLifeMs)))
  }

  /** Nothing where there is no such account, its address is confirmed already, or it was sent enough. */
  async sendVerification(email: string): Promise<void> {
    const { reader, mail, limits, engine, baseUrl } = this.#parts
    const account = await findAccount(reader, email)
    if (account === undefined || (await isVerified(reader, account.id))) return
    if (!limits.admit(account.email)) return
    const token = await (await engine()).makeVerificationToken(account.email, verifyLifeMs)
    const query = new URLSearchParams({ token })
    await mail.send(verificationEmail(account.email, `${baseUrl}${authPath}/verify-email?${query}`))
  }

  /** What a link to confirm an address asks of better-auth: where it goes on to is ours to say. */
  verification({ url, headers }: Request): Request {
    const { origin, pathname, searchParams } = new URL(url)
    const query = new URLSearchParams({ token: searchParams.get('token') ?? '', callbackURL: confirmedPath })
    return new Request(`${origin}${pathname}?${query}`, { headers })
  }

  /** A person has followed the link in a mail program, so a page has to tell what came of it. */
  afterVerification(answer: Response): Response {
    const { origin, pathname } = new URL(this.#parts.baseUrl)
    const { searchParams } = new URL(answer.headers.get('location') ?? '/?error', origin)
    const next = new URLSearchParams({ confirmed: '', next: '/dashboard?welcome' })
    const page = searchParams.has('error') ? '/sign-up/letter?expired' : `/sign-in?${next}`
    return new Response(null, { status: 302, headers: { location: pathname.replace(/\/$/, '') + page } })
  }

  /** Nothing where it was sent enough. */
  async sendTaken(email: string): Promise<void> {
    if (!this.#parts.limits.admit(email)) return
    await this.#parts.mail.send(addressTakenEmail(email, `${this.#parts.baseUrl}/sign-in`))
  }

  async #reset(accountId: string, lifeMs: number): Promise<string> {
    const token = await (await this.#parts.engine()).makeResetToken(accountId, lifeMs)
    return `${this.#parts.baseUrl}/reset-password?${new URLSearchParams({ token })}`
  }
}
