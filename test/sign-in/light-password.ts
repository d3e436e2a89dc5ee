// In charge of people whose password takes no time to check, for tests that sign many in or try many passwords: the cost
// stands in the hash, and this one's is the least there is.
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

/** As if they had signed up with `password`. Returns the id of the account. */
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
