// In charge of an account that its owner ends.
import type { Database, Reader } from '../../storage/database.ts'
import { invalid } from './account-fields.ts'
import { deleteAccount } from './accounts.ts'

/** By its owner. The last operator has to stay: without one, nobody could grant anything. */
export function closeAccount(database: Database, accountId: string): Promise<void> {
  return database.write(async (tx) => {
    // Two operators who leave at the same time would each see the other stay.
    await database.lock(tx, 'operators')
    await refuseLastOperator(tx, accountId)
    await deleteAccount(tx, accountId)
  })
}

/** A Problem where the account is the only one that can run the service. */
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
