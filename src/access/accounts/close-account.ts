// Deletes an account at the request of its owner or of the operator, and keeps what it used today until midnight.
import { today } from '../../catalogue/days.ts'
import type { Clock } from '../../clock.ts'
import { invalid } from '../../errors.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import type { Quota } from '../plans/quota.ts'
import { type Account, deleteAccount } from './accounts.ts'
import { keepCount } from './deleted-counts.ts'

export interface CloseParts {
  readonly database: Database
  readonly quota: Quota
  /** The keyed hash of an email's mailbox. */
  readonly mailboxOf: (email: string) => string
}

interface Closed extends Pick<Account, 'email' | 'plan'> {
  readonly accountId: string
}

/**
 * Deletes the account. The last operator has to stay: without one, nobody could grant anything. What the account used
 * today is kept until midnight. The rest of its quota is taken first, so that the kept count is final, even while other
 * processes still accept the account's keys. If the deletion then fails, the account has no requests left today.
 */
export async function closeAccount(
  { database, quota, mailboxOf }: CloseParts,
  { accountId, email, plan }: Closed,
): Promise<void> {
  const spent = await quota.spend({ accountId, plan })
  await database.write(async (tx) => {
    // Without the lock, two operators who leave at the same time would each still see the other.
    await database.lock(tx, 'operators')
    await refuseLastOperator(tx, accountId)
    await deleteAccount(tx, accountId)
    await keepCount(tx, accountId, mailboxOf(email), spent)
  })
}

/** Keeps the count in the database, to which a running service writes its own every 50 ms. */
export async function deleteForOperator(
  tx: Tx,
  clock: Clock,
  accountId: string,
  { mailbox, limit }: { readonly mailbox: string; readonly limit: number },
): Promise<void> {
  const day = today(clock)
  const count = tx.selectFrom('daily_counts').select('used')
  const row = await count.where((eb) => eb.and({ subject: accountId, day })).executeTakeFirst()
  await deleteAccount(tx, accountId)
  await keepCount(tx, accountId, mailbox, { day, limit, used: row?.used ?? 0 })
}

/** Throws a Problem if the account is an operator and there is no other active operator. */
export async function refuseLastOperator(reader: Reader, accountId: string): Promise<void> {
  const operators = await reader
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'operator')
    .where((eb) => eb.or([eb('status', '=', 'active'), eb('id', '=', accountId)]))
    .execute()
  if (operators.length !== 1 || operators[0]?.id !== accountId) return
  throw invalid(
    'account',
    'You are the only operator of this instance: make another one first (watchdata account create --operator), then delete this account.',
  )
}
