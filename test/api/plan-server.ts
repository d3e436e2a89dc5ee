// Starts a real server with an account on every plan, and opens another connection to its database.
import { randomBytes } from 'node:crypto'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { type PlanName, planNames } from '../../src/access/plans/plans.ts'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export interface PlanServer extends TestServer {
  readonly database: Database
  readonly keys: Readonly<Record<PlanName, string>>
  /** The ids of the accounts; no test needs that of the demo account. */
  readonly accounts: Readonly<Record<Exclude<PlanName, 'free'>, string>>
  /** Sends a GET request below /api/v1 with the key of the plan. */
  ask(plan: PlanName, path: string, options?: RequestInit): Promise<Response>
  /** The same server with new accounts, whose quotas are unused. */
  forOthers(): Promise<PlanServer>
}

const aMillionEach = planNames.map((plan) => `${plan}=1000000`).join()

/** The account of the smallest plan is the demo account. */
export async function startPlanServer(
  engine: Engine,
  env: Record<string, string> = {},
  contents: 'sample' | 'few' = 'sample',
): Promise<PlanServer> {
  const settings = await engine.settings(contents)
  const server = await startTestServer(engine, { PLAN_LIMITS: aMillionEach, ...settings, ...env })
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const { accounts, keys } = await createAccounts(
    database,
    planNames.filter((plan) => plan !== 'free'),
  )
  return withAccounts(server, { database, accounts, keys: { ...keys, free: server.demoKey ?? '' } })
}

function withAccounts(
  server: TestServer,
  held: Pick<PlanServer, 'database' | 'accounts' | 'keys'>,
): PlanServer {
  const { database, keys } = held
  return {
    ...server,
    ...held,
    ask: (plan, path, options = {}) =>
      server.get(`/api/v1${path}`, {
        ...options,
        headers: { authorization: `Bearer ${keys[plan]}`, ...options.headers },
      }),
    forOthers: async () => withAccounts(server, { database, ...(await createAccounts(database, planNames)) }),
  }
}

function createAccounts(
  database: Database,
  plans: readonly PlanName[],
): Promise<Record<'accounts' | 'keys', Record<PlanName, string>>> {
  const clock = manualClock()
  const household = randomBytes(4).toString('hex')
  return database.write(async (tx) => {
    const [accounts, keys] = [{} as Record<PlanName, string>, {} as Record<PlanName, string>]
    for (const plan of plans) {
      const draft = { email: `${plan}-${household}@example.com`, name: plan, plan }
      accounts[plan] = await createAccount(tx, clock, draft)
      keys[plan] = await createKey(tx, clock, accounts[plan], 'first')
    }
    return { accounts, keys }
  })
}
