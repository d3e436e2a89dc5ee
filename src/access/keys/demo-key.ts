// Creates the demo account of the sample catalogue and provides its key, so that the first API call works at once.
// The key itself is stored only in a file of the data directory that only the file's owner may read.
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { prepareDataDir } from '../../storage/data-dir.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { createAccount, findAccount } from '../accounts/accounts.ts'
import { createKey, deleteOldKeys, findCaller } from './keys.ts'

/** A data directory that lost the key file gets a new key. The oldest keys are deleted, so that they do not pile up. */
const keysMax = 10

const demoAccount = { email: 'demo@localhost', name: 'Demo', plan: 'free' } as const

export async function createDemoAccount(tx: Tx, clock: Clock): Promise<void> {
  // An operator may have created this account before there was a catalogue.
  if ((await findAccount(tx, demoAccount.email)) === undefined) await createAccount(tx, clock, demoAccount)
}

/** The key to show at start; undefined if the database has no demo account or the account is suspended. */
export async function provideDemoKey(
  database: Database,
  clock: Clock,
  dataDir: string,
): Promise<string | undefined> {
  const file = path.join(dataDir, 'demo-key')
  const kept = await findKept(database, clock, file)
  if (kept !== undefined) return kept
  await prepareDataDir(dataDir)
  return database.write(async (tx) => {
    await database.lock(tx, 'demo key')
    const account = await findAccount(tx, demoAccount.email)
    if (account?.status !== 'active') return undefined
    // Another process on this directory may have created the key meanwhile.
    const made = await findKept({ reader: tx, engine: database.engine }, clock, file)
    if (made !== undefined) return made
    await deleteOldKeys(tx, clock, account.id, keysMax - 1)
    const key = await createKey(tx, clock, account.id, 'demo')
    // Written before the commit: a committed key that is in no file could never be shown.
    await writeKey(file, key)
    return key
  })
}

async function findKept(
  database: Pick<Database, 'reader' | 'engine'>,
  clock: Clock,
  file: string,
): Promise<string | undefined> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  return (await findCaller(database, clock, kept)) === undefined ? undefined : kept
}

/** Writes a temporary file and renames it, so that nobody reads half a key. */
async function writeKey(file: string, key: string): Promise<void> {
  const partial = `${file}.${process.pid}`
  try {
    await writeFile(partial, `${key}\n`, { mode: 0o600 })
    await rename(partial, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(`Cannot write ${file} (${code}): fix that, or set DATA_DIR to another directory.`)
  }
}
