// Stores API keys: creates, lists, renames, rolls and revokes those of an account, and finds the caller of a key.
// The key itself is shown once, when it is created.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { invalid, Problem } from '../../errors.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { isAnyOf, updateStatements } from '../../storage/write-rows.ts'
import { keyLifeMaxDays, parseExpiry, parseName } from '../accounts/account-fields.ts'
import { lockAccount } from '../accounts/accounts.ts'
import type { PlanName } from '../plans/plans.ts'
import { generateKey, isWellFormedKey, keyDigest } from './api-key.ts'
import { isEnded, type KeyInfo, type KeyRow, withStatus } from './key-status.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    api_keys: KeyRow & { account_id: string; digest: string }
  }
}

export { type KeyInfo, keyLifeMaxDays }

/** The account and the key behind a request. */
export interface Caller {
  readonly accountId: string
  readonly keyId: string
  readonly plan: PlanName
}

export interface FoundCaller {
  readonly caller: Caller
  /** When the key expires. */
  readonly endsMs: number
}

export interface NewKey extends KeyInfo {
  readonly key: string
}

export interface KeyDraft {
  readonly name: string
  readonly expiresAt?: Date | undefined
}

const dayMs = 86_400_000
const hintLength = 4
/** Maximum number of valid keys of an account. */
export const liveKeysMax = 25
/** How many expired or revoked keys of an account stay listed: the newest. */
const endedKeysKept = 100
const firstKeyName = 'First key'
const defaultOverlapMs = dayMs
export const overlapMaxDays = 7
/** Rows per statement: both engines limit its parameters. */
const usesMax = 1_000

const keyColumns = ['id', 'name', 'hint', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'] as const

/** Creates a key and returns only the key itself: the only moment at which it can be seen. */
export async function createKey(tx: Tx, clock: Clock, accountId: string, name: string): Promise<string> {
  return (await issueKey(tx, clock, accountId, { name })).key
}

/** Creates a key and returns it with the details that can also be read later. */
export async function issueKey(tx: Tx, clock: Clock, accountId: string, draft: KeyDraft): Promise<NewKey> {
  const name = parseName(draft.name)
  const expires_at = draft.expiresAt === undefined ? null : parseExpiry(draft.expiresAt, clock)
  await lockAccount(tx, accountId)
  return addKey(tx, clock, accountId, name, expires_at)
}

/** Creates the first key of an account. Undefined if there was one already: of two concurrent calls one creates it. */
export async function issueFirstKey(tx: Tx, clock: Clock, accountId: string): Promise<NewKey | undefined> {
  await lockAccount(tx, accountId)
  if ((await listKeys(tx, clock, accountId)).length > 0) return undefined
  return addKey(tx, clock, accountId, firstKeyName, null)
}

/** Newest first. */
export async function listKeys(reader: Reader, clock: Clock, accountId: string): Promise<KeyInfo[]> {
  const rows = await reader
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => withStatus(row, clock.nowMs()))
}

export async function renameKey(
  tx: Tx,
  clock: Clock,
  accountId: string,
  keyId: string,
  name: string,
): Promise<void> {
  const { id } = await getKey(tx, clock, accountId, keyId)
  await changeKey(tx, id, { name: parseName(name) })
}

/** Revokes a key permanently. A key that is already revoked stays as it is. */
export async function revokeKey(tx: Tx, clock: Clock, accountId: string, keyId: string): Promise<void> {
  await lockAccount(tx, accountId)
  const { id, revoked_at } = await getKey(tx, clock, accountId, keyId)
  if (revoked_at === null) await changeKey(tx, id, { revoked_at: clock.now().toISOString() })
}

/**
 * Creates a key of the same name that does not expire, and lets the old key expire after the overlap, but never later
 * than it would have expired anyway.
 */
export async function rollKey(
  tx: Tx,
  clock: Clock,
  accountId: string,
  keyId: string,
  overlapMs: number = defaultOverlapMs,
): Promise<NewKey> {
  if (!(overlapMs >= 0 && overlapMs <= overlapMaxDays * dayMs)) {
    throw invalid('overlap', `The overlap must be between 0 hours and ${overlapMaxDays} days.`)
  }
  await lockAccount(tx, accountId)
  const old = await getKey(tx, clock, accountId, keyId)
  if (isEnded(old)) throw invalid('key', `The key is ${old.status} and cannot be rolled: create another.`)
  const end = new Date(clock.nowMs() + overlapMs).toISOString()
  if (old.expires_at === null || end < old.expires_at) await changeKey(tx, old.id, { expires_at: end })
  return addKey(tx, clock, accountId, old.name, null)
}

const usedRows = {
  table: 'api_keys',
  keys: { id: 'text' },
  values: { used_at: 'text' },
  set: `last_used_at = case
    when api_keys.last_used_at is null or api_keys.last_used_at < given.used_at then given.used_at
    else api_keys.last_used_at end`,
} as const

/** Stores when keys were last used, unless a later time is stored. Times are milliseconds of the clock. */
export async function noteKeyUse(database: Database, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  // Sorted: two processes that lock the same rows in different orders would deadlock.
  const uses = [...usedAtMs].sort(([one], [other]) => (one < other ? -1 : 1))
  const { reader } = database
  for (let at = 0; at < uses.length; at += usesMax) {
    const some = uses.slice(at, at + usesMax)
    const ids = some.map(([id]) => id)
    const isOne = isAnyOf(database.engine, sql.ref('id'), ids)
    const held = reader.selectFrom('api_keys').select('id').where(isOne).orderBy('id').forUpdate()
    const rows = some.map(([id, ms]) => [id, new Date(ms).toISOString()])
    await database.writeQuickly([held, ...updateStatements(database.engine, usedRows, rows)])
  }
}

/** The caller of a key; undefined if the key is malformed, unknown, expired or revoked, or its account is suspended. */
export async function findCaller(reader: Reader, clock: Clock, key: string): Promise<Caller | undefined> {
  if (!isWellFormedKey(key)) return undefined
  const [found] = await findCallers({ reader, engine: 'sqlite' }, clock, [keyDigest(key)])
  return found?.caller
}

/** The callers of the keys with these digests, in the same order. */
export async function findCallers(
  { reader, engine }: Pick<Database, 'reader' | 'engine'>,
  clock: Clock,
  digests: readonly string[],
): Promise<(FoundCaller | undefined)[]> {
  const now = clock.now().toISOString()
  const rows = await reader
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['accounts.id as accountId', 'api_keys.id as keyId', 'accounts.plan'])
    .select(['api_keys.digest', 'api_keys.expires_at'])
    .where(isAnyOf(engine, sql.ref('api_keys.digest'), digests))
    .where('api_keys.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]))
    .where('accounts.status', '=', 'active')
    .execute()
  const byDigest = new Map(
    rows.map(({ digest, expires_at, ...caller }) => {
      const endsMs = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
      return [digest, { caller, endsMs }]
    }),
  )
  return digests.map((digest) => byDigest.get(digest))
}

/** Deletes all but the newest keys of an account. */
export async function deleteOldKeys(tx: Tx, clock: Clock, accountId: string, keep: number): Promise<void> {
  await deleteKeys(tx, (await listKeys(tx, clock, accountId)).slice(keep))
}

/** The calling function must hold the account's lock, so that no other key is added at the same time. */
async function addKey(
  tx: Tx,
  clock: Clock,
  accountId: string,
  name: string,
  expires_at: string | null,
): Promise<NewKey> {
  await makeRoom(tx, clock, accountId)
  const key = generateKey()
  const created_at = clock.now().toISOString()
  const hint = key.slice(-hintLength)
  const row = { id: randomUUID(), name, hint, created_at, last_used_at: null, expires_at, revoked_at: null }
  await tx
    .insertInto('api_keys')
    .values({ ...row, account_id: accountId, digest: keyDigest(key) })
    .execute()
  return { ...withStatus(row, clock.nowMs()), key }
}

async function makeRoom(tx: Tx, clock: Clock, accountId: string): Promise<void> {
  const keys = await listKeys(tx, clock, accountId)
  const ended = keys.filter(isEnded)
  if (keys.length - ended.length >= liveKeysMax) {
    throw invalid('key', `An account may have at most ${liveKeysMax} keys that are good: revoke one first.`)
  }
  await deleteKeys(tx, ended.slice(endedKeysKept))
}

/** Throws not_found for the key of another account, as if it did not exist. */
async function getKey(reader: Reader, clock: Clock, accountId: string, keyId: string): Promise<KeyInfo> {
  const key = (await listKeys(reader, clock, accountId)).find(({ id }) => id === keyId)
  if (key === undefined) throw new Problem('not_found')
  return key
}

async function changeKey(tx: Tx, keyId: string, change: Partial<KeyRow>): Promise<void> {
  await tx.updateTable('api_keys').set(change).where('id', '=', keyId).execute()
}

async function deleteKeys(tx: Tx, keys: readonly KeyInfo[]): Promise<void> {
  const ids = keys.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('api_keys').where('id', 'in', ids).execute()
}
