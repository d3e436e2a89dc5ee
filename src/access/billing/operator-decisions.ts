// Carries out an operator's decision on the dashboard: applies it to exactly the request the operator saw, with
// immediate effect, and emails the customer. An email that fails does not undo the decision.
import { atMost, type Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { EmailMessage, Mail } from '../../mail/mail.ts'
import { Semaphore } from '../../semaphore.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { lockAccount } from '../accounts/accounts.ts'
import { planDeclinedEmail, planGrantedEmail } from '../emails.ts'
import type { KeyCache } from '../keys/key-cache.ts'
import { plans } from '../plans/plans.ts'
import type { PlanRequest } from './billing.ts'
import { declinePlan, findWaiting, grantPlan } from './operator-billing.ts'

export interface DecisionParts {
  readonly database: Database
  readonly clock: Clock
  readonly callers: KeyCache
  readonly mail: Mail
  readonly log: Log
  readonly baseUrl: string
}

const emailLimits = { permits: 2, waitingMax: 200 } as const
const closeMaxMs = 5_000

export class OperatorDecisions {
  readonly #parts: DecisionParts
  readonly #emails = new Semaphore(emailLimits)

  constructor(parts: DecisionParts) {
    this.#parts = parts
  }

  /** Returns false if the request is no longer pending. `by` is who decides. */
  async grant(requestId: string, by: string): Promise<boolean> {
    const { clock, callers } = this.#parts
    const accountId = await this.#decide(requestId, planGrantedEmail, (tx, asker, { plan }) =>
      grantPlan(tx, clock, asker, plan, by),
    )
    if (accountId !== undefined) callers.forget(accountId)
    return accountId !== undefined
  }

  /** Returns false if the request is no longer pending. */
  async decline(requestId: string, by: string): Promise<boolean> {
    const accountId = await this.#decide(requestId, planDeclinedEmail, (tx, asker) =>
      declinePlan(tx, this.#parts.clock, asker, by),
    )
    return accountId !== undefined
  }

  /** Waits for queued emails, but only for 5 s: a mail server that hangs must not block the shutdown. */
  close(): Promise<void> {
    return atMost(closeMaxMs, this.#emails.idle())
  }

  /** Returns the id of the account that made the request, or undefined if the request is no longer pending. */
  async #decide(
    requestId: string,
    emailOf: typeof planGrantedEmail,
    work: (tx: Tx, accountId: string, asked: PlanRequest) => Promise<unknown>,
  ): Promise<string | undefined> {
    const { database, baseUrl } = this.#parts
    const decided = await database.write(async (tx) => {
      const accountId = await findAsker(tx, requestId)
      if (accountId === undefined) return undefined
      const { email } = await lockAccount(tx, accountId)
      // Checked again under the lock: the customer may request another plan, another operator may decide.
      const waiting = await findWaiting(tx, accountId)
      if (waiting?.id !== requestId) return undefined
      await work(tx, accountId, waiting)
      return { accountId, email, planName: plans[waiting.plan].name }
    })
    if (decided === undefined) return undefined
    this.#send(emailOf(decided.email, decided.planName, `${baseUrl}/dashboard/plan`))
    return decided.accountId
  }

  #send(message: EmailMessage): void {
    const { mail, log } = this.#parts
    this.#emails
      .run(() => mail.send(message))
      .catch((error) => log.error({ err: error }, 'cannot send the email about a plan request'))
  }
}

async function findAsker(reader: Reader, requestId: string): Promise<string | undefined> {
  const asked = reader.selectFrom('plan_requests').select('account_id').where('id', '=', requestId)
  return (await asked.executeTakeFirst())?.account_id
}
