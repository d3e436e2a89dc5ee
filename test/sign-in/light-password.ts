// Creates accounts whose password is fast to verify, for tests that sign in many accounts or try many passwords. The
// hash contains its cost parameters, and these are the lowest possible.
import { argon2Sync, randomUUID } from 'node:crypto'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'

export const password = 'correct horse battery'

const cost = { memory: 8, passes: 1, parallelism: 1 }
const nonce = Buffer.from('not random at all')
const tag = argon2Sync('argon2id', { ...cost, nonce, tagLength: 32, message: password })
const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
const lightHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${hash}`

/** Creates an account as if it had signed up with `password`. Returns the id of the account. */
export function addPerson(database: Database, email: string, clock: Clock = systemClock): Promise<string> {
  return database.write(async (tx) => {
    const id = await createAccount(tx, clock, { email, name: 'Ada', plan: 'free' })
    const now = clock.now().toISOString()
    const credential = { account_id: id, provider: 'credential', subject: id, password: lightHash }
    const row = { id: randomUUID(), ...credential, created_at: now, updated_at: now }
    await tx.insertInto('credentials').values(row).execute()
    return id
  })
}
