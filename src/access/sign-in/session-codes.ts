// Makes the codes of second factors single-use: somebody who reads a code over a shoulder cannot use it again, although
// authenticators show it for half a minute and it is accepted for longer.
import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'

/** Longer than a code is accepted: one 30 s step before and after its own, 90 s in all. */
const rememberedMs = 300_000

/**
 * Returns false if the account has sent this code lately. A code is taken before it is verified, so that of two
 * concurrent requests with the same code only one succeeds.
 */
export async function takeCode(
  database: Database,
  clock: Clock,
  accountId: string,
  code: string,
): Promise<boolean> {
  const now = clock.now().toISOString()
  const id = hash('sha256', `second factor ${accountId} ${code}`)
  const expires_at = new Date(clock.nowMs() + rememberedMs).toISOString()
  // The value is not the account's id, because a change of password deletes all rows with that value.
  const row = { id, identifier: id, value: 'taken', created_at: now, updated_at: now, expires_at }
  const taken = await database.write((tx) =>
    tx
      .insertInto('verifications')
      .values(row)
      .onConflict((oc) =>
        oc.column('id').doUpdateSet({ expires_at }).where('verifications.expires_at', '<', now),
      )
      .returning('id')
      .executeTakeFirst(),
  )
  return taken !== undefined
}
