// In charge of billing by hand: a customer asks for a plan, the request waits, and an operator grants or declines it.
// How the money comes is between the two of them.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { invalid } from '../accounts/account-fields.ts'
import { lockAccount, setPlan } from '../accounts/accounts.ts'
import { type PlanName, plans } from '../plans/plans.ts'
import type { Billing, PlanRequest } from './billing.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    plan_requests: PlanRequest & { account_id: string }
  }
}

/** A request as operators see it, with whose it is. */
export interface WaitingRequest {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: PlanName
  readonly asked_plan: PlanName
  readonly asked_at: string
}

const withdrawnKept = 20
const requestColumns = ['id', 'plan', 'status', 'asked_at', 'decided_at', 'decided_by'] as const

export function createOperatorBilling(database: Database, clock: Clock): Billing {
  return {
    askForPlan: (accountId, plan) =>
      database.write(async (tx) => ({
        status: 'pending',
        request: await askForPlan(tx, clock, accountId, plan),
      })),
    findWaiting: (accountId) => findWaiting(database.reader, accountId),
    list: (accountId, limit) => listAsked(database.reader, accountId, limit),
    withdraw: (accountId) =>
      database.write(async (tx) => {
        const { email } = await lockAccount(tx, accountId)
        return (await decide(tx, clock, accountId, 'withdrawn', email)) !== undefined
      }),
  }
}

/** Sets the plan, asked for or not, and ends the request for it; false where the account has it already. */
export async function grantPlan(
  tx: Tx,
  clock: Clock,
  accountId: string,
  plan: PlanName,
  by: string,
): Promise<boolean> {
  const isChanged = await setPlan(tx, clock, accountId, plan, by)
  const waiting = await findWaiting(tx, accountId)
  if (waiting?.plan === plan) await decide(tx, clock, accountId, 'granted', by)
  return isChanged
}

/** Declines what the account waits for; undefined where that is nothing. */
export async function declinePlan(
  tx: Tx,
  clock: Clock,
  accountId: string,
  by: string,
): Promise<PlanRequest | undefined> {
  await lockAccount(tx, accountId)
  return decide(tx, clock, accountId, 'declined', by)
}

/** What waits for an operator, the oldest first. */
export function listWaiting(reader: Reader, limit: number): Promise<WaitingRequest[]> {
  return reader
    .selectFrom('plan_requests')
    .innerJoin('accounts', 'accounts.id', 'plan_requests.account_id')
    .select([
      'plan_requests.id',
      'accounts.email',
      'accounts.name',
      'accounts.plan',
      'plan_requests.plan as asked_plan',
      'plan_requests.asked_at',
    ])
    .where('plan_requests.status', '=', 'pending')
    .orderBy('plan_requests.asked_at')
    .orderBy('plan_requests.id')
    .limit(limit)
    .execute()
}

export function findWaiting(reader: Reader, accountId: string): Promise<PlanRequest | undefined> {
  return reader
    .selectFrom('plan_requests')
    .select(requestColumns)
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
}

function listAsked(reader: Reader, accountId: string, limit: number): Promise<PlanRequest[]> {
  return reader
    .selectFrom('plan_requests')
    .select(requestColumns)
    .where('account_id', '=', accountId)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

async function askForPlan(tx: Tx, clock: Clock, accountId: string, plan: PlanName): Promise<PlanRequest> {
  const account = await lockAccount(tx, accountId)
  if (account.plan === plan) {
    throw invalid('plan', `The account is on the ${plans[plan].name} plan already.`)
  }
  const waiting = await findWaiting(tx, accountId)
  // Asked twice for the same, it keeps its place in the queue.
  if (waiting?.plan === plan) return waiting
  await decide(tx, clock, accountId, 'withdrawn', account.email)
  await forgetWithdrawn(tx, accountId)
  const asked_at = clock.now().toISOString()
  const request: PlanRequest = {
    id: randomUUID(),
    plan,
    status: 'pending',
    asked_at,
    decided_at: null,
    decided_by: null,
  }
  await tx
    .insertInto('plan_requests')
    .values({ ...request, account_id: accountId })
    .execute()
  return request
}

/** All but the newest: who cannot make up their mind does not fill the table. */
async function forgetWithdrawn(tx: Tx, accountId: string): Promise<void> {
  const withdrawn = tx
    .selectFrom('plan_requests')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'withdrawn')
  const old = await withdrawn.orderBy('asked_at', 'desc').offset(withdrawnKept).limit(withdrawnKept).execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await tx.deleteFrom('plan_requests').where('id', 'in', ids).execute()
}

/** The caller holds the account. */
function decide(
  tx: Tx,
  clock: Clock,
  accountId: string,
  status: Exclude<PlanRequest['status'], 'pending'>,
  by: string,
): Promise<PlanRequest | undefined> {
  return tx
    .updateTable('plan_requests')
    .set({ status, decided_at: clock.now().toISOString(), decided_by: by })
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .returning(requestColumns)
    .executeTakeFirst()
}
