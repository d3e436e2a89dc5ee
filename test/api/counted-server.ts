// A server with the limits of the real plans, accounts on it, and requests that tell what their response says of the quota.
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { parseConfig } from '../../src/config.ts'
import type { Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export const resetSeconds = Date.parse('2026-03-02T00:00:00.000Z') / 1_000

/** The limits of the real plans, unlike in other tests. */
export const asPlanned = { PLAN_LIMITS: '', LOG_LEVEL: 'silent' }

export interface Told {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly retryAfter: string | null
}

export async function startWithAccounts(
  engine: Engine,
  env: Record<string, string> = {},
  contents: 'few' | 'sample' = 'few',
) {
  const settings = await engine.settings(contents)
  const server = await startTestServer(engine, { ...asPlanned, ...settings, ...env })
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const clock = manualClock()
  const addKey = (accountId: string) => database.write((tx) => createKey(tx, clock, accountId, 'another'))
  const addAccount = async (plan: PlanName) => {
    const email = `${plan}-${Math.random()}@example.com`
    const id = await database.write((tx) => createAccount(tx, clock, { email, name: plan, plan }))
    return { id, key: await addKey(id) }
  }
  return { server, database, addAccount, addKey }
}

export async function ask(
  server: TestServer,
  key: string,
  path: string,
  options: RequestInit = {},
): Promise<Told> {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    ...options,
    headers: { authorization: `Bearer ${key}`, ...options.headers },
  })
  await response.arrayBuffer()
  return told(response)
}

export function told({ status, headers }: Response): Told {
  return {
    status,
    limit: Number(headers.get('x-ratelimit-limit') ?? Number.NaN),
    remaining: Number(headers.get('x-ratelimit-remaining') ?? Number.NaN),
    reset: Number(headers.get('x-ratelimit-reset') ?? Number.NaN),
    retryAfter: headers.get('retry-after'),
  }
}
