// Creates accounts for a drill directly in its database.
import { randomUUID } from 'node:crypto'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { openDatabase } from '../../src/storage/open-database.ts'

/** Creates one account for each given plan and returns their keys. The database must be migrated. */
export async function addAccounts(settings: Environment, plans: readonly PlanName[]): Promise<string[]> {
  const config = parseConfig({ ...settings, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    return await database.write(async (tx) => {
      const keys: string[] = []
      for (const plan of plans) {
        const draft = { email: `${randomUUID()}@example.com`, name: plan, plan }
        keys.push(await createKey(tx, systemClock, await createAccount(tx, systemClock, draft), 'drill'))
      }
      return keys
    })
  } finally {
    await database.close()
  }
}
