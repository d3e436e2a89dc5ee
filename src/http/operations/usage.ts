// Answers GET /usage: the account's quota of today, and its last 30 days. It is free, so that checking the quota does
// not consume it.
import type { Caller } from '../../access/keys/keys.ts'
import type { Quota } from '../../access/plans/quota.ts'
import { readUsage } from '../../access/plans/usage.ts'
import type { Reader } from '../../storage/database.ts'
import type { ApiParts, Call, Outcome } from './call.ts'

type Payer = Pick<Caller, 'accountId' | 'plan'>
const secondMs = 1_000

export async function getUsage({ caller }: Call, { database, quota }: ApiParts): Promise<Outcome> {
  const usage = await describeUsage(database.reader, quota, caller)
  return { status: 200, body: { data: { plan: caller.plan, ...usage } } }
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
