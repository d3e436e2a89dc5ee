// Serves GET /usage: the account's quota of today, and its last 30 days. It is free, so that checking the quota does
// not consume it.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import type { Quota } from '../../access/plans/quota.ts'
import { readUsage } from '../../access/plans/usage.ts'
import type { Reader } from '../../storage/database.ts'

type Payer = Pick<Caller, 'accountId' | 'plan'>
const secondMs = 1_000

export function usageRoute(api: FastifyInstance, reader: Reader, quota: Quota): void {
  api.get('/usage', async (request, reply) => {
    const caller = request.caller as Caller
    const usage = await describeUsage(reader, quota, caller)
    reply.header('cache-control', 'private, no-store')
    return { data: { plan: caller.plan, ...usage } }
  })
}

export async function describeUsage(reader: Reader, quota: Quota, payer: Payer) {
  const { limit, used, remaining, resetSeconds } = await quota.peek(payer)
  const today = quota.today()
  const days = await readUsage(reader, payer.accountId, today)
  return {
    limit,
    used,
    remaining,
    reset: new Date(resetSeconds * secondMs).toISOString(),
    // Today's count is newer than the stored one.
    days: [...days.slice(0, -1), { date: today, used }],
  }
}
