// In charge of the codes of second factors being good once: whoever reads one over a shoulder comes too late, although
// authenticators show it for half a minute and it is taken for longer.
import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../storage/database.ts'

/** A code is taken for a step before and after its own, a minute and a half in all. */
const rememberedMs = 300_000

/** False where the account has sent this code lately. Each is taken before it is looked at, so that of two who send it at once one comes too late. */
export async function takeCode(
  database: Database,
  clock: Clock,
  accountId: string,
  code: string,
): Promise<boolean> {
  const now = clock.now().toISOString()
  const id = hash('sha256', `second factor ${accountId} ${code}`)
  const times = { created_at: now, updated_at: now }
  const expires_at = new Date(clock.nowMs() + rememberedMs).toISOString()
  // Not under the account, whose other rows go with a change of its password.
  const row = { id, identifier: id, value: 'taken', ...times, expires_at }
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
