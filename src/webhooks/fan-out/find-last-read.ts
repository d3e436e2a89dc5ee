// Finds how far the fan-out has read the change log: what comes later must stay in the log.
import type { Reader } from '../../storage/database.ts'
import '../tables.ts'

/** Returns undefined if no endpoint waits for changes: a new one begins at the end of the log. */
export async function findLastRead(reader: Reader): Promise<number | undefined> {
  const { since } = await reader
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.min<number | null>('last_sequence').as('since'))
    .where('status', '<>', 'disabled')
    .where('is_entitled', '=', 1)
    .executeTakeFirstOrThrow()
  if (since === null) return undefined
  const { sequence } = await reader.selectFrom('webhook_fan_out').select('sequence').executeTakeFirstOrThrow()
  return Math.max(sequence, since)
}
