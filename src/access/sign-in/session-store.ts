// Implements better-auth's storage with its own Kysely adapter on our database. Every write goes through
// `database.write`, which waits for other writers and syncs. Every database failure is reported, because better-auth
// treats some as "not signed in". Accounts are created as everywhere else, on the free plan, whatever the input says.
import type { DBAdapter, DBAdapterInstance, DBTransactionAdapter, Where } from 'better-auth/adapters'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { createAccount } from '../accounts/accounts.ts'
import { resumeCount } from '../accounts/deleted-counts.ts'
import { emailOf } from './session-addresses.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    credentials: Stored & { account_id: string; provider: string; subject: string; password: string | null }
    sessions: Stored & { account_id: string; token: string; expires_at: string }
    verifications: Stored & { identifier: string; value: string; expires_at: string }
  }
}

interface Stored {
  id: string
  created_at: string
  updated_at: string
}

export interface StoreParts {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  /** The keyed hash of an email's mailbox. */
  readonly mailboxOf: (email: string) => string
}

/** better-auth's own adapter, on the database or within one of its transactions. */
type Rows = DBTransactionAdapter
type Read = <T>(work: (rows: Rows) => Promise<T>) => Promise<T>
type Write = <T>(work: (rows: Rows, tx: Tx) => Promise<T>) => Promise<T>

const deletedMax = 1_000

export async function openStore({ database, onError, ...parts }: StoreParts): Promise<DBAdapterInstance> {
  const { getAdapter } = await import('better-auth/db/adapter')
  return (options) => {
    // "sqlite" on both engines: it stores times as text and booleans as 0 and 1, as our tables have them.
    const rowsIn = (db: Reader) => getAdapter({ ...options, database: { db, type: 'sqlite' } })
    let reading: ReturnType<typeof rowsIn> | undefined
    const read: Read = (work) =>
      telling(async () => {
        reading ??= rowsIn(database.reader)
        return work(await reading)
      })
    const write: Write = (work) => telling(() => database.write(async (tx) => work(await rowsIn(tx), tx)))
    const transaction: DBAdapter['transaction'] = (work) =>
      telling(() =>
        database.write(async (tx) => {
          const rows = await rowsIn(tx)
          const within: Write = (step) => telling(() => step(rows, tx))
          return work(storeOf(within, within, parts))
        }),
      )
    return { ...storeOf(read, write, parts), transaction }
  }

  async function telling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      onError(error)
      throw error
    }
  }
}

type NewUserParts = Pick<StoreParts, 'clock' | 'mailboxOf'>

function storeOf(read: Read, write: Write, parts: NewUserParts): DBTransactionAdapter {
  return {
    id: 'watchdata',
    create: (row) =>
      write((rows, tx) => (row.model === 'user' ? createUser(rows, tx, parts, row.data) : rows.create(row))),
    findOne: (wanted) => read((rows) => findOne(rows, plain(wanted))),
    findMany: (wanted) => read((rows) => rows.findMany(plain(wanted))),
    count: (wanted) => read((rows) => rows.count(plain(wanted))),
    update: (change) => write((rows) => rows.update(plain(change))),
    updateMany: (change) => write((rows) => rows.updateMany(plain(change))),
    delete: (wanted) => write((rows) => rows.delete(plain(wanted))),
    deleteMany: (wanted) => write((rows) => rows.deleteMany(plain(wanted))),
    consumeOne: (wanted) => write((rows) => rows.consumeOne(plain(wanted))),
    incrementOne: (change) => write((rows) => rows.incrementOne(plain(change))),
  }
}

async function createUser<T>(rows: Rows, tx: Tx, parts: NewUserParts, data: Row): Promise<T> {
  const { clock, mailboxOf } = parts
  const draft = { email: emailOf(String(data.email)), name: String(data.name), plan: 'free' } as const
  const id = await createAccount(tx, clock, draft)
  await resumeCount(tx, clock, id, mailboxOf(draft.email))
  return (await rows.findOne({ model: 'user', where: [{ field: 'id', value: id }] })) as T
}

type Row = Record<string, unknown>
type Wanted = Parameters<DBAdapter['findOne']>[0]

/** Never returns a session of a suspended account. */
async function findOne<T>(rows: Rows, wanted: Wanted): Promise<T | null> {
  if (wanted.model !== 'session') return rows.findOne<T>(wanted)
  const join = { ...wanted.join, user: true }
  const session = await rows.findOne<T & { user: Row | null }>({ ...wanted, join })
  return session?.user?.status === 'active' ? session : null
}

/** The same conditions, with each email alias replaced by the email it stands for. */
function plain<W extends { where?: Where[] | undefined }>(wanted: W): W {
  const where = wanted.where?.map((one) =>
    one.field === 'email' && typeof one.value === 'string' ? { ...one, value: emailOf(one.value) } : one,
  )
  return { ...wanted, where }
}

/** Deletes all but the newest sessions of an account. */
export async function deleteOldSessions(database: Database, accountId: string, keep: number): Promise<void> {
  const old = await database.reader
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(deletedMax)
    .offset(keep)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await database.write((tx) => tx.deleteFrom('sessions').where('id', 'in', ids).execute())
}

/** Deletes the links and unfinished sign-ins of an account: none may outlive the password they were made under. */
export async function deleteVerifications(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('verifications').where('value', '=', accountId).execute()
}

export async function findSessionToken(reader: Reader, sessionId: string): Promise<string | undefined> {
  const session = reader.selectFrom('sessions').select('token').where('id', '=', sessionId)
  return (await session.executeTakeFirst())?.token
}

/** Finds the account's status and whether its email is verified; undefined if there is no such account. */
export function findState(reader: Reader, accountId: string) {
  const accounts = reader.selectFrom('accounts').select(['status', 'email_verified'])
  return accounts.where('id', '=', accountId).executeTakeFirst()
}

export async function markVerified(tx: Tx, accountId: string): Promise<void> {
  await tx.updateTable('accounts').set({ email_verified: 1 }).where('id', '=', accountId).execute()
}
