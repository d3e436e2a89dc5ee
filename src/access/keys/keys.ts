// Stores API keys: creates, lists, renames, rolls and revokes those of an account, and finds the caller of a key.
// The key itself is shown once, when it is created.
import { randomUUID } from 'node:crypto'
import { type Compilable, sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { invalid, Problem } from '../../errors.ts'
import type { ReadTotal } from '../../storage/counter/counter.ts'
import type { Database, Reader, Tables, Tx } from '../../storage/database.ts'
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
  /** Whether the key is a test key, which reads the sample catalogue and costs no quota. */
  readonly isTest: boolean
}

export interface FoundCaller {
  readonly caller: Caller
  /** When the key expires. */
  readonly endsMs: number
  /** What the account has used today. */
  readonly total: ReadTotal
}

interface CallerRow
  extends Omit<Caller, 'isTest'>,
    Pick<Tables['api_keys'], 'digest' | 'expires_at' | 'is_test'> {
  readonly used: number | null
}

export interface NewKey extends KeyInfo {
  readonly key: string
}

export interface KeyDraft {
  readonly name: string
  readonly expiresAt?: Date | undefined
  readonly isTest?: boolean
}

const dayMs = 86_400_000
const hintLength = 4
/** Of `2026-03-01`. */
const dayLength = 10
/** Maximum number of valid keys of an account. */
export const liveKeysMax = 25
/** How many expired or revoked keys of an account stay listed: the newest. */
const endedKeysKept = 100
const firstKeyName = 'First key'
const defaultOverlapMs = dayMs
export const overlapMaxDays = 7
/** Rows per statement: both engines limit its parameters. */
const usesMax = 1_000

const keyColumns = [
  ...(['id', 'name', 'hint', 'is_test', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'] as const),
] as const

/** Creates a key and returns only the key itself: the only moment at which it can be seen. */
export async function createKey(tx: Tx, clock: Clock, accountId: string, name: string): Promise<string> {
  return (await issueKey(tx, clock, accountId, { name })).key
}

/** Creates a key and returns it with the details that can also be read later. */
export async function issueKey(tx: Tx, clock: Clock, accountId: string, draft: KeyDraft): Promise<NewKey> {
  const name = parseName(draft.name)
  const expires_at = draft.expiresAt === undefined ? null : parseExpiry(draft.expiresAt, clock)
  await lockAccount(tx, accountId)
  return addKey(tx, clock, accountId, { name, expires_at, isTest: draft.isTest ?? false })
}

/** Creates the first key of an account. Undefined if there was one already: of two concurrent calls one creates it. */
export async function issueFirstKey(tx: Tx, clock: Clock, accountId: string): Promise<NewKey | undefined> {
  await lockAccount(tx, accountId)
  if ((await listKeys(tx, clock, accountId)).length > 0) return undefined
  return addKey(tx, clock, accountId, { name: firstKeyName, expires_at: null, isTest: false })
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
  return addKey(tx, clock, accountId, { name: old.name, expires_at: null, isTest: old.is_test })
}

/** Stores when keys were last used, unless a later time is stored. Times are milliseconds of the clock. */
export async function noteKeyUse(database: Database, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  const uses = [...usedAtMs]
  const note = database.engine === 'sqlite' ? usesForSqlite : usesForPostgres
  for (let at = 0; at < uses.length; at += usesMax) {
    const rows = uses.slice(at, at + usesMax).map(([id, ms]) => [id, new Date(ms).toISOString()] as const)
    await database.writeQuickly(note(database, rows), { isBackground: true })
  }
}

type KeyUse = readonly [id: string, at: string]

const usedRows = {
  table: 'api_keys',
  keys: { id: 'text' },
  values: { used_at: 'text' },
  set: `last_used_at = case
    when api_keys.last_used_at is null or api_keys.last_used_at < given.used_at then given.used_at
    else api_keys.last_used_at end`,
} as const

function usesForSqlite({ engine }: Database, uses: readonly KeyUse[]): Compilable[] {
  return [...updateStatements(engine, usedRows, uses)]
}

function usesForPostgres({ reader }: Database, uses: readonly KeyUse[]): Compilable[] {
  const ids = sql.val(uses.map(([id]) => id))
  const times = sql.val(uses.map(([, at]) => at))
  // Locked in order first: two processes that update the same rows in different orders would deadlock.
  const query = sql`with held as (select id from api_keys where id = any(${ids}) order by id for no key update)
    update api_keys set last_used_at = used_at
    from held join unnest(${ids}::text[], ${times}::text[]) as given(id, used_at) on given.id = held.id
    where api_keys.id = held.id and (last_used_at is null or last_used_at < used_at)`
  return [{ compile: () => query.compile(reader) }]
}

/** The caller of a key; undefined if the key is malformed, unknown, expired or revoked, or its account is suspended. */
export async function findCaller(
  database: Pick<Database, 'reader' | 'engine'>,
  clock: Clock,
  key: string,
): Promise<Caller | undefined> {
  if (!isWellFormedKey(key)) return undefined
  const [found] = await findCallers(database, clock, [keyDigest(key)])
  return found?.caller
}

/** The callers of the keys with these digests, in the same order, and what their accounts have used today. */
export async function findCallers(
  { reader, engine }: Pick<Database, 'reader' | 'engine'>,
  clock: Clock,
  digests: readonly string[],
): Promise<(FoundCaller | undefined)[]> {
  const now = clock.now().toISOString()
  const day = now.slice(0, dayLength)
  const askedMs = performance.now()
  // Not with the query builder, which takes as long as the query: this one runs for every key in use, again and again.
  const query = sql<CallerRow>`select accounts.id as "accountId", api_keys.id as "keyId", accounts.plan,
      api_keys.digest, api_keys.expires_at, api_keys.is_test,
      (select used from daily_counts where subject = accounts.id and day = ${day}) as used
    from api_keys join accounts on accounts.id = api_keys.account_id
    where ${isAnyOf(engine, sql.ref('api_keys.digest'), digests)} and api_keys.revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > ${now}) and accounts.status = 'active'`
  const { rows } = await query.execute(reader)
  const byDigest = new Map(
    rows.map(({ digest, expires_at, is_test, used, ...row }) => {
      const endsMs = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
      const caller = { ...row, isTest: is_test === 1 }
      return [digest, { caller, endsMs, total: { day, used: used ?? 0, askedMs } }]
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
  { name, expires_at, isTest }: Pick<KeyRow, 'name' | 'expires_at'> & { readonly isTest: boolean },
): Promise<NewKey> {
  await makeRoom(tx, clock, accountId)
  const key = generateKey(isTest ? 'test' : 'live')
  const created_at = clock.now().toISOString()
  const hint = key.slice(-hintLength)
  const is_test = isTest ? 1 : 0
  const row = {
    id: randomUUID(),
    name,
    hint,
    is_test,
    created_at,
    last_used_at: null,
    expires_at,
    revoked_at: null,
  }
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
