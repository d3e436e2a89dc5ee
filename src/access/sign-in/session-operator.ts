// Creates the very first operator: of concurrent attempts one succeeds, and all later ones are refused.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'
import { createAccount, hasOperator } from '../accounts/accounts.ts'
import { markVerified } from './session-store.ts'

export interface OperatorDraft {
  readonly email: string
  readonly name: string
  readonly password: string
}

/** Returns false and writes nothing if there is an operator already. */
export async function createOperator(
  database: Database,
  clock: Clock,
  { email, name, password }: OperatorDraft,
  hash: (password: string) => Promise<string>,
): Promise<boolean> {
  if (await hasOperator(database.reader)) return false
  const hashed = await hash(password)
  return database.write(async (tx) => {
    await database.lock(tx, 'first operator')
    // Checked again under the lock.
    if (await hasOperator(tx)) return false
    const id = await createAccount(tx, clock, { email, name, plan: 'free', role: 'operator' })
    await markVerified(tx, id)
    const now = clock.now().toISOString()
    const credential = { account_id: id, provider: 'credential', subject: id, password: hashed }
    const row = { id: randomUUID(), ...credential, created_at: now, updated_at: now }
    await tx.insertInto('credentials').values(row).execute()
    return true
  })
}
