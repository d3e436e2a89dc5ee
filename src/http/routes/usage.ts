// GET /usage: where the account stands today, and its last 30 days. Free, so that asking cannot spend what is asked for.
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
    // The day's count is ahead of what is written down.
    const past = days.slice(0, -1)
    const today = { date: quota.today(), used }
    const reset = new Date(resetSeconds * secondMs).toISOString()
    reply.header('cache-control', 'private, no-store')
    return { data: { plan: caller.plan, limit, used, remaining, reset, days: [...past, today] } }
  })
}
