// In charge of what an operator decides on the dashboard: exactly the request that was seen, which holds at once, and
// the letter that tells the customer. A letter that fails changes nothing of what was decided.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
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

  /** False where that request does not wait any more. `by` is who decides. */
  async grant(requestId: string, by: string): Promise<boolean> {
    const { clock, callers } = this.#parts
    const decided = await this.#decide(requestId, (tx, accountId, { plan }) =>
      grantPlan(tx, clock, accountId, plan, by),
    )
    if (decided === undefined) return false
    callers.forget(decided.accountId)
    this.#send(planGrantedEmail(decided.email, decided.planName, this.#planPage))
    return true
  }

  /** False where that request does not wait any more. */
  async decline(requestId: string, by: string): Promise<boolean> {
    const { clock } = this.#parts
    const decided = await this.#decide(requestId, (tx, accountId) => declinePlan(tx, clock, accountId, by))
    if (decided === undefined) return false
    this.#send(planDeclinedEmail(decided.email, decided.planName, this.#planPage))
    return true
  }

  /** Resolves once every letter is sent, or given up. */
  idle(): Promise<void> {
    return this.#emails.idle()
  }

  /** A mail server that hangs must not keep the service from ending. */
  async close(): Promise<void> {
    const over = new AbortController()
    const deadline = delay(closeMaxMs, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([this.idle(), deadline])
    over.abort()
  }

  get #planPage(): string {
    return `${this.#parts.baseUrl}/dashboard/plan`
  }

  #decide(requestId: string, work: (tx: Tx, accountId: string, asked: PlanRequest) => Promise<unknown>) {
    return this.#parts.database.write(async (tx) => {
      const accountId = await findAsker(tx, requestId)
      if (accountId === undefined) return undefined
      const { email } = await lockAccount(tx, accountId)
      // Looked at again under the lock: the customer may ask for another plan, another operator may decide.
      const waiting = await findWaiting(tx, accountId)
      if (waiting?.id !== requestId) return undefined
      await work(tx, accountId, waiting)
      return { accountId, email, planName: plans[waiting.plan].name }
    })
  }

  #send(message: EmailMessage): void {
    const { mail, log } = this.#parts
    this.#emails
      .run(() => mail.send(message))
      .catch((error) => log.error({ err: error }, 'a letter about a plan could not be sent'))
  }
}

async function findAsker(reader: Reader, requestId: string): Promise<string | undefined> {
  const asked = reader.selectFrom('plan_requests').select('account_id').where('id', '=', requestId)
  return (await asked.executeTakeFirst())?.account_id
}
