// Implements billing by hand: a customer requests a plan, the request waits, and an operator grants or declines it.
// How the customer pays is between the two of them.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { invalid } from '../../errors.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { lockAccount, setPlan } from '../accounts/accounts.ts'
import { type PlanName, plans } from '../plans/plans.ts'
import type { Billing, PlanRequest } from './billing.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    plan_requests: PlanRequest & { account_id: string }
  }
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
    list: (accountId, limit) =>
      requestsOf(database.reader, accountId)
        .select(requestColumns)
        .orderBy('asked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    withdraw: (accountId) =>
      database.write(async (tx) => {
        const { email } = await lockAccount(tx, accountId)
        return (await decide(tx, clock, accountId, 'withdrawn', email)) !== undefined
      }),
  }
}

/** Sets the plan, requested or not, and closes a pending request for it. False if the account is on it already. */
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

/** Declines the account's pending request; returns undefined if there is none. */
export async function declinePlan(
  tx: Tx,
  clock: Clock,
  accountId: string,
  by: string,
): Promise<PlanRequest | undefined> {
  await lockAccount(tx, accountId)
  return decide(tx, clock, accountId, 'declined', by)
}

/** The pending requests of all accounts as operators see them, oldest first. */
export function listWaiting(reader: Reader, limit: number) {
  return reader
    .selectFrom('plan_requests')
    .innerJoin('accounts', 'accounts.id', 'plan_requests.account_id')
    .select(['plan_requests.id', 'accounts.email', 'accounts.name', 'accounts.plan'])
    .select(['plan_requests.plan as asked_plan', 'plan_requests.asked_at'])
    .where('plan_requests.status', '=', 'pending')
    .orderBy('plan_requests.asked_at')
    .orderBy('plan_requests.id')
    .limit(limit)
    .execute()
}

export function findWaiting(reader: Reader, accountId: string): Promise<PlanRequest | undefined> {
  return requestsOf(reader, accountId)
    .select(requestColumns)
    .where('status', '=', 'pending')
    .executeTakeFirst()
}

function requestsOf(reader: Reader, accountId: string) {
  return reader.selectFrom('plan_requests').where('account_id', '=', accountId)
}

async function askForPlan(tx: Tx, clock: Clock, accountId: string, plan: PlanName): Promise<PlanRequest> {
  const account = await lockAccount(tx, accountId)
  if (account.plan === plan) {
    throw invalid('plan', `The account is on the ${plans[plan].name} plan already.`)
  }
  const waiting = await findWaiting(tx, accountId)
  // A repeated request for the same plan keeps its position in the queue.
  if (waiting?.plan === plan) return waiting
  await decide(tx, clock, accountId, 'withdrawn', account.email)
  await forgetWithdrawn(tx, accountId)
  const asked = { plan, status: 'pending', asked_at: clock.now().toISOString() } as const
  return tx
    .insertInto('plan_requests')
    .values({ id: randomUUID(), account_id: accountId, ...asked, decided_at: null, decided_by: null })
    .returning(requestColumns)
    .executeTakeFirstOrThrow()
}

/** Deletes all but the newest withdrawn requests, so that repeated requests cannot fill the table. */
async function forgetWithdrawn(tx: Tx, accountId: string): Promise<void> {
  const withdrawn = requestsOf(tx, accountId).select('id').where('status', '=', 'withdrawn')
  const old = withdrawn.orderBy('asked_at', 'desc').offset(withdrawnKept).limit(withdrawnKept)
  await tx.deleteFrom('plan_requests').where('id', 'in', old).execute()
}

/** Closes the pending request with this status. The calling function must hold the account's lock. */
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
