// Stores accounts: owner, role, status, plan and the history of plan changes.
// Knows nothing of passwords, and nothing of how a plan is requested or paid for.
import { randomUUID } from 'node:crypto'
import type { Generated } from 'kysely'
import { timeAfter } from '../../catalogue/time-after.ts'
import type { Clock } from '../../clock.ts'
import { invalid, Problem } from '../../errors.ts'
import type { Reader, Tx } from '../../storage/database.ts'
import type { PlanName } from '../plans/plans.ts'
import { normaliseEmail, parseEmail, parseName } from './account-fields.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    /** `email_verified` is 0 or 1; only signing in uses it. */
    accounts: Account & { email_verified: Generated<number> }
    plan_changes: PlanChange & { id: string; account_id: string }
  }
}

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: PlanName
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly created_at: string
}

export type Role = 'consumer' | 'operator'

export interface PlanChange {
  /** Null for the account's first plan. */
  readonly old_plan: PlanName | null
  readonly new_plan: PlanName
  readonly changed_at: string
  readonly changed_by: string
}

export interface AccountDraft extends Pick<Account, 'email' | 'name' | 'plan'> {
  readonly role?: Role
  /** Who set the first plan; defaults to the account's own email. */
  readonly by?: string
}

const planChangesMax = 1_000
/** Name under which the table `secrets` stores the digest of the setup token. */
export const setupSecret = 'setup token digest'

const accountColumns = ['id', 'email', 'name', 'plan', 'role', 'status', 'created_at'] as const

export async function createAccount(tx: Tx, clock: Clock, draft: AccountDraft): Promise<string> {
  const { plan, role = 'consumer' } = draft
  const [email, name] = [parseEmail(draft.email), parseName(draft.name)]
  const created_at = clock.now().toISOString()
  const created = await tx
    .insertInto('accounts')
    .values({ id: randomUUID(), email, name, plan, role, status: 'active', created_at })
    // A failed insert would abort the transaction, and two inserts of one email may run concurrently.
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw invalid('email', 'The email has already been taken.')
  const first = { old_plan: null, new_plan: plan, changed_at: created_at, changed_by: draft.by ?? email }
  await recordPlan(tx, created.id, first)
  // Once an operator exists the setup link must never work again, even if this operator is deleted.
  if (role === 'operator') await tx.deleteFrom('secrets').where('name', '=', setupSecret).execute()
  return created.id
}

export async function hasOperator(reader: Reader): Promise<boolean> {
  const operators = reader.selectFrom('accounts').select('id').where('role', '=', 'operator')
  return (await operators.limit(1).executeTakeFirst()) !== undefined
}

/** Finds an account by email, ignoring case and surrounding whitespace. */
export async function findAccount(reader: Reader, email: string): Promise<Account | undefined> {
  const plain = normaliseEmail(email)
  if (plain === undefined) return undefined
  return reader.selectFrom('accounts').select(accountColumns).where('email', '=', plain).executeTakeFirst()
}

export interface AccountsWanted {
  readonly plan?: PlanName | undefined
  /** The last email of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Sorted by email. */
export function listAccounts(reader: Reader, { plan, after, limit }: AccountsWanted): Promise<Account[]> {
  return reader
    .selectFrom('accounts')
    .select(accountColumns)
    .$if(plan !== undefined, (query) => query.where('plan', '=', plan as PlanName))
    .$if(after !== undefined, (query) => query.where('email', '>', after as string))
    .orderBy('email')
    .limit(limit)
    .execute()
}

/** Locks the account's row until the transaction ends, so that counts and comparisons made meanwhile stay true. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account> {
  const account = await tx
    .selectFrom('accounts')
    .select(accountColumns)
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (account === undefined) throw new Problem('not_found')
  return account
}

/** Returns false and writes nothing if the account is already on this plan. */
export async function setPlan(
  tx: Tx,
  clock: Clock,
  accountId: string,
  plan: PlanName,
  by: string,
): Promise<boolean> {
  const { plan: old_plan } = await lockAccount(tx, accountId)
  if (old_plan === plan) return false
  const [last] = await newestPlanChanges(tx, accountId, 1)
  const changed_at = last === undefined ? clock.now().toISOString() : timeAfter(last.changed_at, clock)
  await changeAccount(tx, accountId, { plan })
  await recordPlan(tx, accountId, { old_plan, new_plan: plan, changed_at, changed_by: by })
  return true
}

/** Oldest first. */
export async function listPlanChanges(reader: Reader, accountId: string): Promise<PlanChange[]> {
  return (await newestPlanChanges(reader, accountId, planChangesMax)).reverse()
}

/** The keys of a suspended account stop working the next time they are looked up. */
export async function setStatus(tx: Tx, accountId: string, status: Account['status']): Promise<void> {
  await lockAccount(tx, accountId)
  await changeAccount(tx, accountId, { status })
}

/** Deletes the account and everything that belongs to it. */
export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await lockAccount(tx, accountId)
  // daily_counts has a subject instead of a foreign key to accounts, so no cascade deletes its rows.
  await tx.deleteFrom('daily_counts').where('subject', '=', accountId).execute()
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute()
}

export async function renameAccount(tx: Tx, accountId: string, name: string): Promise<void> {
  await lockAccount(tx, accountId)
  await changeAccount(tx, accountId, { name: parseName(name) })
}

async function changeAccount(tx: Tx, accountId: string, change: Partial<Account>): Promise<void> {
  await tx.updateTable('accounts').set(change).where('id', '=', accountId).execute()
}

async function recordPlan(tx: Tx, accountId: string, change: PlanChange): Promise<void> {
  const row = { id: randomUUID(), account_id: accountId, ...change }
  await tx.insertInto('plan_changes').values(row).execute()
}

function newestPlanChanges(reader: Reader, accountId: string, limit: number): Promise<PlanChange[]> {
  return reader
    .selectFrom('plan_changes')
    .select(['old_plan', 'new_plan', 'changed_at', 'changed_by'])
    .where('account_id', '=', accountId)
    .orderBy('changed_at', 'desc')
    .limit(limit)
    .execute()
}
