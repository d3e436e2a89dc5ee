// In charge of accounts: whose they are, on which plan since when, and whether they may ask at present.
// Knows nothing of passwords, and nothing of how a plan is asked or paid for.
import { randomUUID } from 'node:crypto'
import { momentAfter } from '../../catalogue/moment-after.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { Reader, Tx } from '../../storage/database.ts'
import type { PlanName } from '../plans/plans.ts'
import { invalid, normaliseEmail, parseEmail, parseName } from './account-fields.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    accounts: Account
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
  /** Null for the plan an account began with. */
  readonly old_plan: PlanName | null
  readonly new_plan: PlanName
  readonly changed_at: string
  readonly changed_by: string
}

export interface AccountDraft {
  readonly email: string
  readonly name: string
  readonly plan: PlanName
  readonly role?: Role
  /** Who gave it its plan; without it, the account itself. */
  readonly by?: string
}

const planChangesMax = 1_000
/** Under which the digest of the set-up link is kept among the secrets. */
export const setupSecret = 'setup token digest'

const accountColumns = ['id', 'email', 'name', 'plan', 'role', 'status', 'created_at'] as const

export async function createAccount(tx: Tx, clock: Clock, draft: AccountDraft): Promise<string> {
  const { plan, role = 'consumer' } = draft
  const [email, name] = [parseEmail(draft.email), parseName(draft.name)]
  const created_at = clock.now().toISOString()
  const created = await tx
    .insertInto('accounts')
    .values({ id: randomUUID(), email, name, plan, role, status: 'active', created_at })
    // A failed insert would spoil the transaction, and two may come at once.
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw invalid('email', 'The email has already been taken.')
  const first = { old_plan: null, new_plan: plan, changed_at: created_at, changed_by: draft.by ?? email }
  await recordPlan(tx, created.id, first)
  // With an operator the link to make the first one has done its work, even should this one be deleted.
  if (role === 'operator') await tx.deleteFrom('secrets').where('name', '=', setupSecret).execute()
  return created.id
}

export async function hasOperator(reader: Reader): Promise<boolean> {
  const operators = reader.selectFrom('accounts').select('id').where('role', '=', 'operator')
  return (await operators.limit(1).executeTakeFirst()) !== undefined
}

/** By e-mail, in whatever case and with whatever space around it. */
export async function findAccount(reader: Reader, email: string): Promise<Account | undefined> {
  const plain = normaliseEmail(email)
  if (plain === undefined) return undefined
  return reader.selectFrom('accounts').select(accountColumns).where('email', '=', plain).executeTakeFirst()
}

export interface AccountsWanted {
  readonly plan?: PlanName | undefined
  /** The e-mail that was last on the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** In the order of their e-mails. */
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

/** The account, held until the end of the transaction: what is counted or compared under it stays so. */
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

/** Returns false, and writes nothing, when it is the plan the account has. */
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
  const changed_at = last === undefined ? clock.now().toISOString() : momentAfter(last.changed_at, clock)
  await tx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
  await recordPlan(tx, accountId, { old_plan, new_plan: plan, changed_at, changed_by: by })
  return true
}

/** Oldest first. */
export async function listPlanChanges(reader: Reader, accountId: string): Promise<PlanChange[]> {
  return (await newestPlanChanges(reader, accountId, planChangesMax)).reverse()
}

/** From the next look at them on, none of the account's keys is good. */
export function suspendAccount(tx: Tx, accountId: string): Promise<void> {
  return setStatus(tx, accountId, 'suspended')
}

export function liftSuspension(tx: Tx, accountId: string): Promise<void> {
  return setStatus(tx, accountId, 'active')
}

/** With all that is the account's. */
export async function deleteAccount(tx: Tx, accountId: string): Promise<void> {
  await lockAccount(tx, accountId)
  // Counts are by subject, not by account, so they do not go by themselves.
  await tx.deleteFrom('daily_counts').where('subject', '=', accountId).execute()
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute()
}

export async function renameAccount(tx: Tx, accountId: string, name: string): Promise<void> {
  await lockAccount(tx, accountId)
  await tx
    .updateTable('accounts')
    .set({ name: parseName(name) })
    .where('id', '=', accountId)
    .execute()
}

async function setStatus(tx: Tx, accountId: string, status: Account['status']): Promise<void> {
  await lockAccount(tx, accountId)
  await tx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute()
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
