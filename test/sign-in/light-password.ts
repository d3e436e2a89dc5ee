// Passwords that are fast to hash and to verify, and accounts that have one: at the recommended cost, the hashes of all
// tests together would take a tenth of their time.
import { randomUUID } from 'node:crypto'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { Passwords } from '../../src/access/sign-in/passwords.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'

export const password = 'correct horse battery'

/** The lowest there is. The recommended one is tested with the passwords themselves. */
export const lightCost = { memory: 8, passes: 1, parallelism: 1 }
const lightHash = await new Passwords(lightCost).hash(password)

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
