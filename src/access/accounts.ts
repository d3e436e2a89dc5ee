// In charge of accounts and their API keys, as they are stored.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Reader, Tx } from '../storage/database.ts'
import { generateKey, isWellFormedKey, keyDigest } from './api-key.ts'
import type { PlanName } from './plans.ts'

declare module '../storage/database.ts' {
  interface Tables {
    accounts: { id: string; email: string; name: string; plan: PlanName; created_at: string }
    api_keys: {
      id: string
      account_id: string
      name: string
      digest: string
      created_at: string
      expires_at: string | null
      revoked_at: string | null
    }
  }
}

/** Who is asking. */
export interface Caller {
  readonly accountId: string
  readonly keyId: string
  readonly plan: PlanName
}

export interface AccountDraft {
  readonly email: string
  readonly name: string
  readonly plan: PlanName
}

export async function createAccount(tx: Tx, clock: Clock, draft: AccountDraft): Promise<string> {
  const id = randomUUID()
  await tx
    .insertInto('accounts')
    .values({ id, ...draft, created_at: clock.now().toISOString() })
    .execute()
  return id
}

export async function findAccountId(reader: Reader, email: string): Promise<string | undefined> {
  return (await reader.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst())?.id
}

/** Makes a key and returns it: the only moment at which it can be seen. */
export async function createKey(tx: Tx, clock: Clock, accountId: string, name: string): Promise<string> {
  const key = generateKey()
  const created_at = clock.now().toISOString()
  await tx
    .insertInto('api_keys')
    .values({ id: randomUUID(), account_id: accountId, name, digest: keyDigest(key), created_at })
    .execute()
  return key
}

/** Deletes all but the newest keys of an account. */
export async function deleteOldKeys(tx: Tx, accountId: string, keep: number): Promise<void> {
  const newest = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(keep)
    .execute()
  const kept = newest.map(({ id }) => id)
  await tx.deleteFrom('api_keys').where('account_id', '=', accountId).where('id', 'not in', kept).execute()
}

/** The caller a key stands for; undefined when it is malformed, unknown, expired or revoked. */
export async function findCaller(reader: Reader, clock: Clock, key: string): Promise<Caller | undefined> {
  if (!isWellFormedKey(key)) return undefined
  return reader
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['accounts.id as accountId', 'api_keys.id as keyId', 'accounts.plan'])
    .where('api_keys.digest', '=', keyDigest(key))
    .where('api_keys.revoked_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('api_keys.expires_at', 'is', null),
        eb('api_keys.expires_at', '>', clock.now().toISOString()),
      ]),
    )
    .executeTakeFirst()
}
