// Writes to the database when keys were last used: every 5 s, in batches.
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { type Repeated, repeat } from '../../storage/repeat.ts'
import type { KeyCache } from './key-cache.ts'
import { noteKeyUse } from './keys.ts'

const everyMs = 5_000

export function noteKeyUses(database: Database, callers: KeyCache, log: Log): Repeated {
  const tell = (error: unknown) => log.warn({ err: error }, 'cannot write when keys were last used')
  const note = async () => {
    const uses = callers.takeUses()
    if (uses.size > 0) await noteKeyUse(database, uses)
  }
  // A last write that fails is only logged: it must not fail the shutdown.
  return repeat(everyMs, () => note().catch(tell), tell)
}
