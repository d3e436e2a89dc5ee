// Signs users in and out and manages their sessions, passwords and second factors. The allowed requests are listed in
// `session-forms`, and better-auth runs behind `session-engine`; nothing outside knows how either works.
import { setTimeout as delay } from 'node:timers/promises'
import { atMost, type Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Mail } from '../../mail/mail.ts'
import { Semaphore } from '../../semaphore.ts'
import type { OpenAttemptCounts } from '../../storage/attempts/attempt-counts.ts'
import type { Database } from '../../storage/database.ts'
import { Attempts, addressSubject, utcDay } from '../plans/attempt-limits.ts'
import { limitEmails } from './email-limits.ts'
import { type PasswordCost, Passwords } from './passwords.ts'
import { type ConfirmParts, confirm } from './session-confirm.ts'
import { endedCookie, hasCookie, secondStepCookieName, sessionCookieName } from './session-cookies.ts'
import { addressHeader, type Engine, loadEngine } from './session-engine.ts'
import { authPath, type Form, forms, getForm, isToken, parseFields, type Values } from './session-forms.ts'
import { Links } from './session-links.ts'
import type { SignedIn } from './session-models.ts'
import { createOperator, type OperatorDraft } from './session-operator.ts'
import { readJson, translateRequest } from './session-requests.ts'
import { jsonAnswer, tellSessions, translateAnswer } from './session-responses.ts'
import { provideSecret } from './session-secret.ts'
import { deleteOldSessions, findSessionToken } from './session-store.ts'

export { addressHeader, authPath, type PasswordCost, type SignedIn }

export interface SessionsParts {
  readonly database: Database
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly mail: Mail
  readonly attempts: OpenAttemptCounts
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly passwordCost?: PasswordCost | undefined
}

/** Maximum sessions of one account; the oldest are deleted. */
const sessionsMax = 50
/** Minimum time of a response about an email. The work that differs for unknown emails is done in less. */
const evenMs = 100
const backgroundLimits = { permits: 4, waitingMax: 200 } as const
const closeMaxMs = 5_000
const emailMayFollow = 'If that can be done with this address, a letter with a link is on its way to it.'

export class Sessions {
  /** Whether a mail server sends emails, so that addresses are confirmed; otherwise emails go to the outbox. */
  readonly sendsEmail: boolean
  readonly #parts: SessionsParts
  readonly #origin: string
  readonly #passwords: Passwords
  readonly #background = new Semaphore(backgroundLimits)
  readonly #attempts: Attempts
  readonly #signUps: Attempts
  readonly #links: Links
  #engine: Promise<Engine> | undefined

  constructor(parts: SessionsParts) {
    const { database, config, clock, log, mail, baseUrl, attempts } = parts
    this.#parts = parts
    this.#passwords = new Passwords(parts.passwordCost)
    this.#origin = new URL(baseUrl).origin
    this.sendsEmail = config.smtpUrl !== undefined
    this.#attempts = new Attempts(attempts('form'), clock)
    this.#signUps = new Attempts(attempts('sign-up'), clock, utcDay)
    const admits = limitEmails(attempts, clock, log)
    this.#links = new Links({ reader: database.reader, mail, admits, baseUrl, engine: () => this.#load() })
  }

  /** Handles a request under /api/auth; throws a Problem for a request that is not passed on to better-auth. */
  async handle(request: Request): Promise<Response> {
    const { path, form } = getForm(request)
    const address = subjectOf(request)
    await this.#attempts.admit(`${path} ${address}`, form.perAddressMax)
    const values = form.method === 'POST' ? parseFields(form, await readJson(request)) : {}
    await this.#admitEmail(path, form, String(values.email), address)
    if (!('email' in form.fields)) return this.#answer(path, form, request, values)
    const even = delay(evenMs)
    const answer = await this.#answer(path, form, request, values)
    // A successful sign-in continues at once; any other response about an email takes the same time for all.
    if (!answer.ok || answer.headers.getSetCookie().length === 0) await even
    return answer
  }

  /** Email and address together first: an attempt refused there does not use up the email's limit for others. */
  async #admitEmail(path: string, form: Form, email: string, address: string): Promise<void> {
    const { perEmailAndAddressMax, perEmailMax } = form
    const subject = `${path} ${email}`
    if (perEmailAndAddressMax !== undefined) {
      await this.#attempts.admit(`${subject} ${address}`, perEmailAndAddressMax)
    }
    if (perEmailMax !== undefined) await this.#attempts.admit(subject, perEmailMax)
  }

  async #answer(path: string, form: Form, request: Request, values: Values): Promise<Response> {
    const email = String(values.email)
    switch (path) {
      case '/request-password-reset':
        return this.#answerAtOnce(() => this.#links.sendReset(email))
      case '/send-verification-email':
        return this.#answerAtOnce(() => this.#links.sendVerification(email))
      case '/sign-up/email':
        if (!this.#parts.config.signUp) throw new Problem('not_found')
        return this.#signUp(form, request, values)
      case '/revoke-session': {
        const token = await findSessionToken(this.#parts.database.reader, String(values.id))
        return this.#ask(form, request, { token: token ?? '' })
      }
      case '/verify-email': {
        const engine = await this.#load()
        const answer = await engine.handle(this.#links.verification(request))
        return this.#links.afterVerification(await translateAnswer(answer, form))
      }
      case '/list-sessions':
        return this.#listSessions(form, request)
      default:
        return this.#ask(form, request, values)
    }
  }

  /**
   * Counts the accounts that a network creates per day: otherwise deleting one and signing up again would renew the
   * quota. Where an email confirms the address, every form counts, because the limit must not reveal which emails are
   * taken. Where it does not, only a form that created an account counts.
   */
  async #signUp(form: Form, request: Request, values: Values): Promise<Response> {
    const address = subjectOf(request)
    await this.#signUps.admit(address, form.perAddressPerDayMax ?? 0)
    if (this.sendsEmail) return this.#answerAtOnce(() => this.#ask(form, request, values))
    let isCreated = false
    try {
      const answer = await this.#ask(form, request, values)
      isCreated = answer.ok
      return answer
    } finally {
      if (!isCreated) await this.#signUps.takeBack(address)
    }
  }

  /** The user who sent these headers; undefined without a session that is valid at this moment. */
  async find(headers: Headers): Promise<SignedIn | undefined> {
    if (!hasCookie(headers, sessionCookieName(this.#origin))) return undefined
    return (await this.#load()).findSession(headers)
  }

  /** Whether these headers may come from a user who has given the password but not yet the code. */
  hasBegun(headers: Headers): boolean {
    return hasCookie(headers, secondStepCookieName(this.#origin))
  }

  /**
   * Verifies the identity of a signed-in user again: throws a Problem if the password or, with a second factor, the
   * code in the body is wrong.
   */
  confirm(signedIn: SignedIn, headers: Headers, body: unknown): Promise<void> {
    const { reader } = this.#parts.database
    const parts = { reader, passwords: this.#passwords, attempts: this.#attempts, submit: this.#submit }
    return confirm(parts, signedIn, headers, body)
  }

  /** The Set-Cookie value that deletes the session from a browser. */
  get endedCookie(): string {
    return endedCookie(this.#origin)
  }

  /** The link whose holder can choose the account's password, once and within a day. No email is sent. */
  inviteLink(accountId: string): Promise<string> {
    return this.#links.invite(accountId)
  }

  /** Whether a link with this token can still be used to choose a password. */
  async isResetToken(token: string): Promise<boolean> {
    return isToken(token) && (await this.#load()).isResetToken(token)
  }

  /** Creates the operator and signs in; undefined if there is one already. `from` are the request's headers. */
  async createFirstOperator(draft: OperatorDraft, from = new Headers()): Promise<Response | undefined> {
    const { database, clock } = this.#parts
    const values = parseFields(forms['/sign-up/email'], draft) as unknown as OperatorDraft
    const hash = (password: string) => this.#passwords.hash(password)
    if (!(await createOperator(database, clock, values, hash))) return undefined
    const { email, password } = values
    return this.#submit('/sign-in/email', from, { email, password })
  }

  /** Resolves once all background work is done: every email sent or given up. */
  idle(): Promise<void> {
    return this.#background.idle()
  }

  /** Waits for background work, but only for 5 s: a mail server that hangs must not block the shutdown. */
  close(): Promise<void> {
    return atMost(closeMaxMs, this.idle())
  }

  readonly #submit: ConfirmParts['submit'] = (path, headers, values) => {
    const request = new Request(`${this.#origin}${authPath}${path}`, { method: 'POST', headers })
    return this.#ask(forms[path], request, values)
  }

  async #ask(form: Form, request: Request, values: Values): Promise<Response> {
    const engine = await this.#load()
    const hashed = form.hashed && (await this.#passwords.hash(String(values[form.hashed])))
    return translateAnswer(await engine.handle(translateRequest(request, values), hashed), form)
  }

  /** Responds equally, and equally fast, whether the email is known or not; the work runs in the background. */
  #answerAtOnce(work: () => Promise<unknown>): Response {
    if (this.#background.isFull) throw new Problem('unavailable')
    this.#later(work)
    return jsonAnswer(200, { status: true, message: emailMayFollow })
  }

  #later(work: () => Promise<unknown>): void {
    const { log } = this.#parts
    this.#background.run(work).catch((error) => log.error({ err: error }, 'an email or a sign-up failed'))
  }

  async #listSessions(form: Form, request: Request): Promise<Response> {
    const answer = await this.#ask(form, request, {})
    if (!answer.ok) return answer
    const own = await this.find(request.headers)
    const found = (await answer.json()) as Parameters<typeof tellSessions>[0]
    return jsonAnswer(answer.status, tellSessions(found, own?.sessionId), answer.headers)
  }

  /**
   * Loads everything that the first sign-in would load. That takes a third of a second, during which no request is served:
   * call it before requests arrive. Without it, the first sign-in does it.
   */
  async prepare(): Promise<void> {
    const engine = await this.#load()
    await engine.isResetToken('')
  }

  /** Loads the engine once; tries again after a failure, because the database may be back. */
  #load(): Promise<Engine> {
    this.#engine ??= this.#open().catch((error) => {
      this.#engine = undefined
      throw error
    })
    return this.#engine
  }

  async #open(): Promise<Engine> {
    const { database, config } = this.#parts
    return loadEngine({
      ...this.#parts,
      origin: this.#origin,
      secret: await provideSecret(database, config),
      mustVerify: this.sendsEmail,
      passwords: this.#passwords,
      onUnverified: (email) => this.#later(() => this.#links.sendVerification(email)),
      onTaken: (email) => this.#later(() => this.#links.sendTaken(email)),
      onSession: (accountId) => this.#later(() => this.#tidyUp(accountId)),
    })
  }

  async #tidyUp(accountId: string): Promise<void> {
    await deleteOldSessions(this.#parts.database, accountId, sessionsMax)
  }
}

/** The subject under which the client's address is counted. */
function subjectOf({ headers }: Request): string {
  return addressSubject(headers.get(addressHeader) ?? '')
}
