// In charge of a real server with an account on every plan, and one more door to its database.
import { randomBytes } from 'node:crypto'
import { createAccount } from '../../src/access/accounts.ts'
import { createKey } from '../../src/access/keys.ts'
import { type PlanName, planNames } from '../../src/access/plans.ts'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Engine } from '../engines.ts'
import { manualClock } from '../manual-clock.ts'
import { openUnmigrated } from '../open-database.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export interface PlanServer extends TestServer {
  readonly database: Database
  readonly keys: Readonly<Record<PlanName, string>>
  /** GET below /api/v1, with the key of the plan. */
  ask(plan: PlanName, path: string, options?: RequestInit): Promise<Response>
  /** The same server for other people: accounts of their own, with all of their quota before them. */
  forOthers(): Promise<PlanServer>
}

const aMillionEach = planNames.map((plan) => `${plan}=1000000`).join()

/** The account of the smallest plan is the demo account. */
export async function startPlanServer(engine: Engine, env: Record<string, string> = {}): Promise<PlanServer> {
  const settings = await engine.settings('sample')
  const server = await startTestServer(engine, { PLAN_LIMITS: aMillionEach, ...settings, ...env })
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const keys = await createKeys(
    database,
    planNames.filter((plan) => plan !== 'free'),
  )
  return withKeys(server, database, { ...keys, free: server.demoKey ?? '' })
}

function withKeys(
  server: TestServer,
  database: Database,
  keys: Readonly<Record<PlanName, string>>,
): PlanServer {
  return {
    ...server,
    database,
    keys,
    ask: (plan, path, options = {}) =>
      server.get(`/api/v1${path}`, {
        ...options,
        headers: { authorization: `Bearer ${keys[plan]}`, ...options.headers },
      }),
    forOthers: async () => withKeys(server, database, await createKeys(database, planNames)),
  }
}

function createKeys(database: Database, plans: readonly PlanName[]): Promise<Record<PlanName, string>> {
  const clock = manualClock()
  const household = randomBytes(4).toString('hex')
  return database.write(async (tx) => {
    const keys = {} as Record<PlanName, string>
    for (const plan of plans) {
      const draft = { email: `${plan}-${household}@example.com`, name: plan, plan }
      keys[plan] = await createKey(tx, clock, await createAccount(tx, clock, draft), 'first')
    }
    return keys
  })
}
