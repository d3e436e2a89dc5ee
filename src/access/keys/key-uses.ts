// In charge of writing down when keys were last used: now and then, for all of them together.
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { type Repeated, repeat } from '../../storage/repeat.ts'
import type { KeyCache } from './key-cache.ts'
import { noteKeyUse } from './keys.ts'

const everyMs = 5_000

export function noteKeyUses(database: Database, callers: KeyCache, log: Log): Repeated {
  const tell = (error: unknown) => log.warn({ err: error }, 'cannot write down when keys were used')
  const note = async () => {
    const uses = callers.takeUses()
    if (uses.size > 0) await noteKeyUse(database, uses)
  }
  // What could not be written at the end is not worth a failed end.
  return repeat(everyMs, () => note().catch(tell), tell)
}
