// In charge of the links that let their holder in, and of the letters that carry them.
import { Problem } from '../errors.ts'
import type { Mail } from '../mail/mail.ts'
import type { Reader } from '../storage/database.ts'
import { findAccount } from './accounts.ts'
import { resetLetter, takenLetter, verifyLetter } from './letters.ts'
import type { Engine } from './session-engine.ts'
import { authPath } from './session-forms.ts'
import { hasAccount, isVerified } from './session-store.ts'

export interface LinksParts {
  readonly reader: Reader
  readonly mail: Mail
  readonly baseUrl: string
  readonly engine: () => Promise<Engine>
}

const hourMs = 3_600_000
const resetLifeMs = hourMs
const inviteLifeMs = 24 * hourMs
const verifyLifeMs = 24 * hourMs

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

  /** Nothing where there is no such account. */
  async sendReset(email: string): Promise<void> {
    const account = await findAccount(this.#parts.reader, email)
    if (account === undefined) return
    await this.#parts.mail.send(resetLetter(account.email, await this.#reset(account.id, resetLifeMs)))
  }

  /** Nothing where there is no such account, or its address is confirmed already. */
  async sendVerification(email: string): Promise<void> {
    const { reader, mail, engine, baseUrl } = this.#parts
    const account = await findAccount(reader, email)
    if (account === undefined || (await isVerified(reader, account.id))) return
    const token = await (await engine()).makeVerificationToken(account.email, verifyLifeMs)
    const query = new URLSearchParams({ token })
    await mail.send(verifyLetter(account.email, `${baseUrl}${authPath}/verify-email?${query}`))
  }

  /** What a link to confirm an address asks of better-auth: where it goes on to is ours to say. */
  verification({ url, headers }: Request): Request {
    const { origin, pathname, searchParams } = new URL(url)
    const next = `${new URL(this.#parts.baseUrl).pathname.replace(/\/$/, '')}/dashboard`
    const query = new URLSearchParams({ token: searchParams.get('token') ?? '', callbackURL: next })
    return new Request(`${origin}${pathname}?${query}`, { headers })
  }

  async sendTaken(email: string): Promise<void> {
    await this.#parts.mail.send(takenLetter(email, `${this.#parts.baseUrl}/dashboard`))
  }

  async #reset(accountId: string, lifeMs: number): Promise<string> {
    const token = await (await this.#parts.engine()).makeResetToken(accountId, lifeMs)
    return `${this.#parts.baseUrl}/reset-password?${new URLSearchParams({ token })}`
  }
}
