// Keeps what a deleted account had used of its quota until midnight UTC, under a keyed hash of its mailbox: to delete an
// account and sign up again must not renew the quota.
import { createHmac } from 'node:crypto'
import { today } from '../../catalogue/days.ts'
import type { Clock } from '../../clock.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { Spent } from '../plans/quota.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    deleted_counts: { account_id: string; mailbox: string; day: string; used: number }
  }
}

/**
 * The hash under which a mailbox is stored. Without the key, nobody can test whether an email is among them. The tag of
 * `name+tag@example.com` is left out: it reaches the mailbox of `name@example.com`.
 */
export function hashMailbox(secret: string, email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const name = address.slice(0, at)
  const plain = name.split('+', 1)[0] || name
  return createHmac('sha256', secret)
    .update(`mailbox ${plain}${address.slice(at)}`)
    .digest('hex')
}

/** Call in the transaction that deletes the account, after the deletion. */
export async function keepCount(tx: Tx, accountId: string, mailbox: string, spent: Spent): Promise<void> {
  const { day, used, limit } = spent
  await tx.insertInto('deleted_counts').values({ account_id: accountId, mailbox, day, used }).execute()
  // Other processes may accept the account's keys for half a second more. If its row were missing, they would count
  // their requests from zero.
  const row = { subject: accountId, day, used: Math.max(used, limit) }
  await tx
    .insertInto('daily_counts')
    .values(row)
    // Another process may just have written the row again.
    .onConflict((oc) => oc.columns(['subject', 'day']).doUpdateSet({ used: row.used }))
    .execute()
}

/** Starts a new account with what accounts of the same mailbox that were deleted today had used. */
export async function resumeCount(tx: Tx, clock: Clock, accountId: string, mailbox: string): Promise<void> {
  const day = today(clock)
  // The highest, not the sum: each of these accounts started with what the ones before it had used.
  const last = await tx
    .selectFrom('deleted_counts')
    .select('used')
    .where((eb) => eb.and({ mailbox, day }))
    .orderBy('used', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || last.used === 0) return
  await tx.insertInto('daily_counts').values({ subject: accountId, day, used: last.used }).execute()
}

/** Deletes the counts of earlier days, and the rows of `daily_counts` that were left for these accounts. */
export async function deleteOldCounts(database: Database, clock: Clock): Promise<void> {
  const day = today(clock)
  await database.write(async (tx) => {
    const old = tx.selectFrom('deleted_counts').select('account_id').where('day', '<', day)
    await tx.deleteFrom('daily_counts').where('subject', 'in', old).execute()
    await tx.deleteFrom('deleted_counts').where('day', '<', day).execute()
  })
}
