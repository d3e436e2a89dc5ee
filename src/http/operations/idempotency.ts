// Implements `Idempotency-Key`: a repeated key gets the stored response for 24 hours instead of running the work
// again. Key and work share one transaction, so concurrent requests run the work exactly once; failures are not
// stored. Stored responses are encrypted, because they may contain a secret.

import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import { invalid } from '../../errors.ts'
import type { Sealer } from '../../seal.ts'
import type { Reader, Tables, Tx } from '../../storage/database.ts'
import type { Call, OnceParts, Outcome } from './call.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    idempotency_keys: {
      account_id: string
      key: string
      /** Of method, URL and body. */
      request_digest: string
      status: number
      answer: string
      created_at: string
    }
  }
}

/** The work of a request, run in a transaction. The transaction may be rolled back and retried. */
type Work = (tx: Tx) => Promise<Outcome>

export const keyMaxLength = 255
export const keptHours = 24
const keptMs = keptHours * 3_600_000
/** Each stored key deletes at most this many expired ones. */
const cleanedMax = 100
const field = 'idempotency_key'

/** `prepare` does the work that needs no transaction, such as validating the body. It is not called for a known key. */
export async function respondOnce(
  call: Call,
  parts: OnceParts,
  announce: string,
  prepare: () => Work | Promise<Work>,
): Promise<Outcome> {
  const { database } = parts
  const asked = parseKey(call)
  if (asked === undefined) return database.write(await prepare(), { announce })
  const known = await findKept(database.reader, parts, asked)
  if (known !== undefined) return replay(parts, asked, known)
  const work = await prepare()
  const { outcome, kept } = await database.write((tx) => workOnce(tx, parts, asked, work), { announce })
  return outcome === undefined ? replay(parts, asked, kept) : outcome
}

type Kept = Selectable<Tables['idempotency_keys']>
type Name = Pick<Kept, 'account_id' | 'key'>
type Asked = Pick<Kept, keyof Name | 'request_digest'>

function parseKey({ request, caller, body = null }: Call): Asked | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  // Node joins two such headers into one value with a space in it, which fails this check.
  if (typeof key !== 'string' || key.length > keyMaxLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw invalid(field, `The idempotency key must be 1 to ${keyMaxLength} visible ASCII characters.`)
  }
  const said = `${request.method} ${request.url}\n${JSON.stringify(body)}`
  return { account_id: caller.accountId, key, request_digest: hash('sha256', said, 'base64url') }
}

async function workOnce(tx: Tx, parts: OnceParts, asked: Asked, work: Work) {
  await forgetOld(tx, parts, asked)
  if (!(await claim(tx, parts, asked))) {
    // The transaction that held the key has committed, or the insert would still be waiting for it.
    return { kept: (await findKept(tx, parts, asked)) as Kept }
  }
  const outcome = await work(tx)
  const { status, ...answer } = outcome
  await tx
    .updateTable('idempotency_keys')
    .set({ status, answer: parts.sealer.seal(JSON.stringify(answer)) })
    .where('account_id', '=', asked.account_id)
    .where('key', '=', asked.key)
    .execute()
  return { outcome }
}

/** Waits for a concurrent transaction with the same key. Returns false where that one has completed the work. */
async function claim(tx: Tx, { clock }: OnceParts, asked: Asked): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('idempotency_keys')
    .values({ ...asked, status: 0, answer: '', created_at: clock.now().toISOString() })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

function findKept(reader: Reader, { clock }: OnceParts, { account_id, key }: Name) {
  return reader
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('key', '=', key)
    .where('created_at', '>', oldest(clock))
    .executeTakeFirst()
}

async function forgetOld(tx: Tx, { clock }: OnceParts, asked: Name): Promise<void> {
  const until = oldest(clock)
  await forget(tx, asked).where('created_at', '<=', until).execute()
  const old = await tx
    .selectFrom('idempotency_keys')
    .select(['account_id', 'key'])
    .where('created_at', '<=', until)
    .limit(cleanedMax)
    .forUpdate()
    // The transaction that holds the lock deletes them.
    .skipLocked()
    .execute()
  for (const name of old) await forget(tx, name).execute()
}

function forget(tx: Tx, { account_id, key }: Name) {
  return tx.deleteFrom('idempotency_keys').where('account_id', '=', account_id).where('key', '=', key)
}

function oldest(clock: Clock): string {
  return new Date(clock.nowMs() - keptMs).toISOString()
}

function replay({ sealer }: OnceParts, asked: Asked, kept: Kept): Outcome {
  if (kept.request_digest !== asked.request_digest) {
    throw invalid(
      field,
      'The idempotency key was used for another request: send each key with one request only.',
    )
  }
  const { headers, ...answer } = openAnswer(sealer, kept)
  return { ...answer, status: kept.status, headers: { ...headers, 'idempotent-replayed': 'true' } }
}

/** After a change of the service's secret the response cannot be decrypted; the work must still not run twice. */
function openAnswer(sealer: Sealer, { answer }: Kept): Omit<Outcome, 'status'> {
  try {
    return JSON.parse(sealer.open(answer))
  } catch {
    throw invalid(
      field,
      'The idempotency key was used, and its answer cannot be told again: send another key.',
    )
  }
}
