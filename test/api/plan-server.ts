// In charge of a real server with an account on every plan, and one more door to its database.
import { createAccount } from '../../src/access/accounts.ts'
import { createKey } from '../../src/access/keys.ts'
import { type PlanName, planNames } from '../../src/access/plans.ts'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Engine } from '../engines.ts'
import { manualClock, openUnmigrated } from '../open-database.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export interface PlanServer extends TestServer {
  readonly database: Database
  readonly keys: Readonly<Record<PlanName, string>>
  /** GET below /api/v1, with the key of the plan. */
  ask(plan: PlanName, path: string, options?: RequestInit): Promise<Response>
}

const aMillionEach = planNames.map((plan) => `${plan}=1000000`).join()

/** The account of the smallest plan is the demo account. */
export async function startPlanServer(engine: Engine, env: Record<string, string> = {}): Promise<PlanServer> {
  const settings = await engine.settings()
  const server = await startTestServer(engine, { PLAN_LIMITS: aMillionEach, ...settings, ...env })
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const keys = { free: server.demoKey ?? '' } as Record<PlanName, string>
  for (const plan of planNames.filter((name) => name !== 'free')) {
    keys[plan] = await createKeyOn(database, plan)
  }
  const ask = (plan: PlanName, path: string, options: RequestInit = {}) =>
    server.get(`/api/v1${path}`, {
      ...options,
      headers: { authorization: `Bearer ${keys[plan]}`, ...options.headers },
    })
  return { ...server, database, keys, ask }
}

function createKeyOn(database: Database, plan: PlanName): Promise<string> {
  const clock = manualClock()
  return database.write(async (tx) => {
    const draft = { email: `${plan}@example.com`, name: plan, plan }
    return createKey(tx, clock, await createAccount(tx, clock, draft), 'first')
  })
}
