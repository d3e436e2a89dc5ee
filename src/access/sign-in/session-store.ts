// Implements better-auth's storage on our database. Every write goes through `database.write`, which waits for other
// writers and syncs. Every database failure is reported, because better-auth treats some as "not signed in".
import type { AdapterFactoryConfig, DBAdapterInstance, DBTransactionAdapter } from 'better-auth/adapters'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tx } from '../../storage/database.ts'
import { type Place, rowsIn } from './session-rows.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    sessions: {
      id: string
      account_id: string
      token: string
      created_at: string
      updated_at: string
      expires_at: string
    }
    verifications: {
      id: string
      identifier: string
      value: string
      created_at: string
      updated_at: string
      expires_at: string
    }
  }
}

export interface StoreParts {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

const deletedMax = 1_000

const config: AdapterFactoryConfig = {
  adapterId: 'watchdata',
  supportsBooleans: false,
  supportsDates: false,
  supportsJSON: false,
  supportsNumericIds: false,
}

export async function openStore({ database, clock, onError }: StoreParts): Promise<DBAdapterInstance> {
  const { createAdapterFactory } = await import('better-auth/adapters')
  const whole: Place = {
    read: (work) => telling(work(database.reader)),
    write: (work) => telling(database.write(work)),
  }
  const within = (tx: Tx): Place => ({
    read: (work) => telling(work(tx)),
    write: (work) => telling(work(tx)),
  })
  return (options) => {
    const open = (place: Place, more?: Partial<AdapterFactoryConfig>) =>
      createAdapterFactory({
        config: { ...config, ...more },
        adapter: ({ getFieldName }) => rowsIn(place, clock, getFieldName),
      })(options)
    const transaction = <T>(work: (adapter: DBTransactionAdapter) => Promise<T>) =>
      telling(database.write((tx) => work(open(within(tx)))))
    return open(whole, { transaction })
  }

  async function telling<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      onError(error)
      throw error
    }
  }
}

/** Deletes expired sessions and links. */
export async function deleteExpired(database: Database, clock: Clock): Promise<void> {
  const now = clock.now().toISOString()
  await database.write(async (tx) => {
    await tx.deleteFrom('sessions').where('expires_at', '<', now).execute()
    await tx.deleteFrom('verifications').where('expires_at', '<', now).execute()
  })
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

export async function hasAccount(reader: Reader, accountId: string): Promise<boolean> {
  return (await findStatus(reader, accountId)) !== undefined
}

export async function isSuspended(reader: Reader, accountId: string): Promise<boolean> {
  return (await findStatus(reader, accountId)) === 'suspended'
}

async function findStatus(reader: Reader, accountId: string): Promise<string | undefined> {
  const account = reader.selectFrom('accounts').select('status').where('id', '=', accountId)
  return (await account.executeTakeFirst())?.status
}

export async function isVerified(reader: Reader, accountId: string): Promise<boolean> {
  const accounts = reader.$extendTables<Verified>().selectFrom('accounts')
  const account = accounts.select('email_verified').where('id', '=', accountId)
  return (await account.executeTakeFirst())?.email_verified === 1
}

export async function markVerified(tx: Tx, accountId: string): Promise<void> {
  const accounts = tx.$extendTables<Verified>().updateTable('accounts')
  await accounts.set({ email_verified: 1 }).where('id', '=', accountId).execute()
}

/** A column of `accounts` that only signing in uses; accounts.ts owns the table. */
type Verified = { accounts: { id: string; email_verified: number } }
