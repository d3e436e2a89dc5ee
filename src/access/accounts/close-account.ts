// Closes an account at its owner's request.
import { invalid } from '../../errors.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { deleteAccount } from './accounts.ts'

/** Deletes the account. The last operator has to stay: without one, nobody could grant anything. */
export function closeAccount(database: Database, accountId: string): Promise<void> {
  return database.write(async (tx) => {
    // Without the lock, two operators who leave at the same time would each still see the other.
    await database.lock(tx, 'operators')
    await refuseLastOperator(tx, accountId)
    await deleteAccount(tx, accountId)
  })
}

/** Throws a Problem if the account is an operator and there is no other active operator. */
export async function refuseLastOperator(reader: Reader, accountId: string): Promise<void> {
  const operators = await reader
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'operator')
    .where((eb) => eb.or([eb('status', '=', 'active'), eb('id', '=', accountId)]))
    .execute()
  if (operators.length !== 1 || operators[0]?.id !== accountId) return
  throw invalid(
    'account',
    'You are the only operator of this instance: make another one first (watchdata account create --operator), then delete this account.',
  )
}
