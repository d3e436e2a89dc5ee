// Serves GET /usage: the account's quota of today, and its last 30 days. It is free, so that checking the quota does
// not consume it.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import type { Quota } from '../../access/plans/quota.ts'
import { readUsage } from '../../access/plans/usage.ts'
import type { Reader } from '../../storage/database.ts'

const secondMs = 1_000

export function usageRoute(api: FastifyInstance, reader: Reader, quota: Quota): void {
  api.get('/usage', async (request, reply) => {
    const caller = request.caller as Caller
    const { limit, remaining, used, resetSeconds } = await quota.peek(caller)
    const days = await readUsage(reader, caller.accountId, quota.today())
    // Today's count is newer than the stored one.
    const past = days.slice(0, -1)
    const today = { date: quota.today(), used }
    const reset = new Date(resetSeconds * secondMs).toISOString()
    reply.header('cache-control', 'private, no-store')
    return { data: { plan: caller.plan, limit, used, remaining, reset, days: [...past, today] } }
  })
}
