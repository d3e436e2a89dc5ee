// In charge of the demo key: the account that comes with the sample catalogue, so that the first call
// works at once. The key itself lies only in a file of the data directory that its owner alone may read.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import { prepareDataDir } from '../storage/data-dir.ts'
import type { Database, Tx } from '../storage/database.ts'
import { createAccount, createKey, findAccountId, findCaller } from './accounts.ts'

const demoAccount = { email: 'demo@localhost', name: 'Demo', plan: 'free' } as const

export async function createDemoAccount(tx: Tx, clock: Clock): Promise<void> {
  await createAccount(tx, clock, demoAccount)
}

/** The key to show at start; undefined where the database has no demo account. */
export async function provideDemoKey(
  database: Database,
  clock: Clock,
  dataDir: string,
): Promise<string | undefined> {
  const file = path.join(dataDir, 'demo-key')
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if ((await findCaller(database.reader, clock, kept)) !== undefined) return kept
  const accountId = await findAccountId(database.reader, demoAccount.email)
  if (accountId === undefined) return undefined
  // Another machine's file, or a restored database: this data directory gets a key of its own.
  await prepareDataDir(dataDir)
  const key = await database.write((tx) => createKey(tx, clock, accountId, 'demo'))
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return key
}
